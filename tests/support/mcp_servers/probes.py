"""A server of the SDK with the tools by which the contract of MCP clients tries them."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp.server import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent, Tool

TOOLS = ("echo", "fail", "wait", "secret")


def probes(reached: list[str]) -> Server[Any]:
    """Return a new server of two pages that adds the names of the calls that reach it to `reached`."""

    async def listed(context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        place = TOOLS[2:] if params is not None and params.cursor == "more" else TOOLS[:2]
        tools = [Tool(name=name, input_schema={"type": "object"}) for name in place]
        return ListToolsResult(tools=tools, next_cursor="more" if place == TOOLS[:2] else None)

    async def called(context: Any, params: CallToolRequestParams) -> CallToolResult:
        reached.append(params.name)
        if params.name == "wait":
            await asyncio.Event().wait()
        if params.name == "fail":
            return CallToolResult(content=[TextContent(text="Bearer abc in /home/ann/x")], is_error=True)
        return CallToolResult(content=[], structured_content=dict(params.arguments or {}))

    return Server("probes", on_list_tools=listed, on_call_tool=called)
