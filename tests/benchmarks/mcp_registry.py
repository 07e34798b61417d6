"""The registry of MCP clients beside a loop over the same client by hand: one call, and a catalogue of many tools.

The client is in memory, so that what it takes itself is little. It decodes each page from JSON, as every client does.
"""

from __future__ import annotations

import json
from typing import Any, Final

from ditto_core import (
    JsonObject,
    McpDiscover,
    McpInvoke,
    McpPage,
    McpRegistry,
    McpTool,
    McpToolResult,
    Sandbox,
    ToolCall,
)

from .harness import FLOOR, Effort, Row, in_turns, row

MANY: Final = 10_000
A_PAGE: Final = 100
SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "Where to look, relative to the root of the server"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
        "pattern": {"type": ["string", "null"], "description": "What names have to look like"},
    },
    "required": ["path"],
}
ARGUMENTS: Final[JsonObject] = {"path": "a.txt"}
ALLOWED: Final = Sandbox(mcp=["files"])


def _page(first: int) -> str:
    numbers = range(first, min(first + A_PAGE, MANY))
    tools = [
        {"name": f"tool_{n}", "description": f"Does what number {n} does.", "inputSchema": SCHEMA} for n in numbers
    ]
    return json.dumps({"tools": tools, **({"nextCursor": str(first + A_PAGE)} if numbers.stop < MANY else {})})


class Files:
    """A client with many tools."""

    def __init__(self) -> None:
        self.pages = {str(first): _page(first) for first in range(0, MANY, A_PAGE)}

    async def list_tools(self, cursor: str | None = None) -> McpPage:
        """Return one page."""
        page = json.loads(self.pages[cursor or "0"])
        tools = [
            McpTool(name=tool["name"], description=tool["description"], input_schema=tool["inputSchema"])
            for tool in page["tools"]
        ]
        return McpPage(tools=tools, next_cursor=page.get("nextCursor"))

    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        """Answer with what was asked for."""
        return McpToolResult(content="text", structured_content=arguments)


async def one_call(effort: Effort) -> list[Row]:
    """Measure a call through the registry."""
    client = Files()
    by_name, mcp = {"files": client}, McpRegistry()
    mcp.register("files", client)

    async def by_hand(times: int) -> None:
        for _ in range(times):
            arguments: Any = dict(ARGUMENTS)
            if type(arguments.get("path")) is not str or len(arguments) != 1:
                raise TypeError
            await by_name["files"].call_tool("read", arguments)

    async def by_registry(times: int) -> None:
        for _ in range(times):
            call = ToolCall(id="c1", name="read", arguments=ARGUMENTS)
            await mcp.execute(McpInvoke(server="files", call=call), ALLOWED)

    case = "McpRegistry.execute, one call, all checks"
    floor = "dict look-up, argument check by hand, await client.call_tool(…)"
    samples = await in_turns({FLOOR: by_hand, case: by_registry}, effort)
    return [row(samples, case, floor=floor, budget=14, goal=8)]


async def many_tools(effort: Effort) -> list[Row]:
    """Measure one discovery of a server with many tools."""
    client, mcp = Files(), McpRegistry(max_capabilities=MANY)
    mcp.register("files", client)

    async def by_hand(times: int) -> None:
        for _ in range(times):
            found: dict[str, McpTool] = {}
            cursor: str | None = None
            while True:
                page = await client.list_tools(cursor)
                found.update((tool.name, tool) for tool in page.tools)
                cursor = page.next_cursor
                if cursor is None:
                    break

    async def by_registry(times: int) -> None:
        for _ in range(times):
            await mcp.execute(McpDiscover(), ALLOWED)

    case = f"{MANY:,} MCP tools discovered, all checks"
    floor = "the client's pages in a loop, tools kept by name"
    samples = await in_turns({FLOOR: by_hand, case: by_registry}, effort)
    return [row(samples, case, floor=floor, budget=4, goal=2.5, operations=MANY)]
