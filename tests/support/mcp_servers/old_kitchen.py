"""A server of version 1 of the SDK, as many are: run it with `old_python`. It lists its tools on two pages."""

from __future__ import annotations

from mcp.server.fastmcp import FastMCP  # type: ignore[import-not-found]
from mcp.types import (  # type: ignore[attr-defined]
    ImageContent,
    ListToolsRequest,
    ListToolsResult,
    TextContent,
)

server = FastMCP("old kitchen", log_level="CRITICAL")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    """Fail."""
    raise RuntimeError("Bearer abc in /home/u/x")


@server.tool()
def blocks() -> list[TextContent | ImageContent]:
    """Return two blocks."""
    return [
        TextContent(type="text", text="first"),
        ImageContent(type="image", data="AwQ=", mimeType="image/png"),
    ]


@server._mcp_server.list_tools()  # type: ignore[untyped-decorator]
async def list_tools(request: ListToolsRequest) -> ListToolsResult:
    """List `add` on the first page, the rest on the second."""
    tools = await server.list_tools()
    if request.params is None or request.params.cursor is None:
        return ListToolsResult(tools=tools[:1], nextCursor="more")
    return ListToolsResult(tools=tools[1:])


server.run()
