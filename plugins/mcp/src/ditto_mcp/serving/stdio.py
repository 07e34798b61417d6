"""One client, over the standard streams of this process."""

from __future__ import annotations

from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server


async def serve_streams(server: Server[Any]) -> None:
    """Serve until standard input ends."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
