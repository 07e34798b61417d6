"""A provider for Brave that asks a server of this machine."""

from __future__ import annotations

import json
from typing import Any

from ditto_brave import BraveSearch
from ditto_core import ExternalResult, Sandbox, ToolCall, ToolContext, ToolRegistry, web_search_tool
from ditto_testkit.fakes import HttpReply, ScriptedHttpServer, http_reply

KEY = "BSA-key-5b1f7c90e2"
QUERY = "secret plans 8c41d0"
PATH = "/res/v1/web/search"
HIT = {"title": "A title", "url": "https://example.org/a", "description": "A description"}
GOOD = json.dumps({"type": "search", "web": {"results": [HIT]}}).encode()


def brave_at(server: ScriptedHttpServer, **options: Any) -> BraveSearch:
    """Give a provider that asks this server, with a deadline that only a fault exceeds."""
    return BraveSearch(KEY, **{"timeout": 20.0, "endpoint": server.origin + PATH, **options})


def found(*results: object, **more: object) -> HttpReply:
    """Give the reply with these results."""
    return http_reply(json.dumps({"type": "search", "web": {"results": list(results)}, **more}))


async def through_tool(brave: BraveSearch, query: str = QUERY, **arguments: Any) -> ExternalResult:
    """Search as a model does."""
    tools = ToolRegistry()
    tools.register(web_search_tool(brave))
    sandbox = Sandbox(tools=["web_search"], network=[brave.origin])
    call = ToolCall(id="c1", name="web_search", arguments={"query": query, **arguments})
    return await tools.call(call, ToolContext(sandbox=sandbox, call_id="c1"))
