"""A provider for Brave that asks a server of this machine, and what a failed search of it tells."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
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


def everything_told(error: BaseException) -> str:
    """Give every text that an exception leads to: its chain, notes, arguments, attributes, and variables of frames.

    Those of the tests themselves are left out, for they know the secrets.
    """
    return "\n".join(part for one in _chain(error, set()) for part in _told(one))


def _chain(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    for further in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        yield from _chain(further, seen)


def _told(error: BaseException) -> Iterator[str]:
    yield f"{error!r} {error} {error.args!r} {getattr(error, '__notes__', None)!r} {vars(error)!r}"
    yield "".join(traceback.format_exception(error))
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if _is_of_tests(frame.f_code.co_filename):
            continue
        for name, value in _variables(frame.f_locals):
            yield f"{frame.f_code.co_qualname}: {name} = {value!r}"


def _variables(holder: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in holder.items():
        yield name, value
        if not isinstance(value, type):
            yield from getattr(value, "__dict__", {}).items()


def _is_of_tests(path: str) -> bool:
    return Path(__file__).parents[1] in Path(path).parents
