"""An honest server of the SDK with a tool for every kind of answer, in process, over stdio and over HTTP.

As a program: `stdio`, or `http`, which prints the port that it listens on.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from typing import Any

from mcp.server import MCPServer
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)

READS = ToolAnnotations(read_only_hint=True)


def kitchen() -> MCPServer:  # noqa: C901 - a row of tools
    """Return a new server."""
    root = logging.getLogger()
    handlers = root.handlers[:]
    if not handlers:  # the SDK would install its own otherwise
        root.addHandler(logging.NullHandler())
    server = MCPServer("kitchen")
    root.handlers[:] = handlers
    log: list[str] = []

    @server.tool(annotations=READS)
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.tool()
    def fail() -> str:
        raise RuntimeError("Bearer abc in /home/u/x")

    @server.tool()
    def nothing() -> None:
        """Do nothing."""

    @server.tool()
    def events() -> list[str]:
        """Say what has happened to `wait`."""
        return log

    @server.tool()
    async def wait() -> None:
        """Wait for ever."""
        log.append("began")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            log.append("cancelled")
            raise

    @server.tool()
    def blocks() -> CallToolResult:
        """Return one block of every kind."""
        content: list[ContentBlock] = [
            TextContent(text="first"),
            ResourceLink(uri="https://host/a", name="a", mime_type="text/html"),
            EmbeddedResource(resource=TextResourceContents(uri="file:///b", mime_type="text/plain", text="second")),
            EmbeddedResource(resource=BlobResourceContents(uri="file:///c", mime_type="image/png", blob="AAEC")),
            ImageContent(data="AwQ=", mime_type="image/png"),
            AudioContent(data="BQ==", mime_type="audio/wav"),
            TextContent(text=""),
        ]
        return CallToolResult(content=content, structured_content={"kinds": 5})

    @server.tool()
    def big(size: int) -> str:
        """Return a text of that size."""
        return "x" * size

    @server.tool()
    def anything(value: dict[str, Any]) -> dict[str, Any]:
        """Return what was given."""
        return value

    @server.tool()
    def lone() -> str:
        """Return a text that is none."""
        return "a\ud800b"

    return server


async def _serve_http() -> None:
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(kitchen().streamable_http_app(), log_level="critical"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        await server.serve([listening])


if __name__ == "__main__":
    if sys.argv[1] == "http":
        asyncio.run(_serve_http())
    else:
        kitchen().run()
