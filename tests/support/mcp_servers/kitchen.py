"""An honest server of the SDK with a tool for every kind of answer, in process, over stdio and over HTTP.

As a program: `stdio`, or `http FILE`, which writes the port it listens on into the file.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
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
    async def wait(seconds: float) -> str:
        """Wait that long."""
        log.append("began")
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            log.append("cancelled")
            raise
        return "waited"

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


async def _serve_http(file: str) -> None:
    import uvicorn

    config = uvicorn.Config(kitchen().streamable_http_app(), host="127.0.0.1", port=0, log_level="critical")
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve())
    while not server.started:  # noqa: ASYNC110 - the library tells it in no other way
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    whole = Path(f"{file}.part")
    whole.write_text(str(port))
    whole.rename(file)
    await serving


if __name__ == "__main__":
    if sys.argv[1] == "http":
        asyncio.run(_serve_http(sys.argv[2]))
    else:
        kitchen().run()
