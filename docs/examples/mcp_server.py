"""A pack as an MCP server: every MCP client can call its tools, and the sandbox here says what they may do.

Try it with the MCP Inspector: ``npx @modelcontextprotocol/inspector python mcp_server.py FOLDER``.
"""

from __future__ import annotations

import asyncio
import sys

from acme_pack import AcmePack
from ditto_core import PluginHost, Runtime, Sandbox, interaction_worker
from ditto_mcp import serve_mcp


async def main(folder: str) -> None:
    """Serve over standard streams until the client hangs up."""
    host = PluginHost()
    host.register(AcmePack(), include={"read_text", "search_text"})
    worker = interaction_worker(tools=host.tools)
    sandbox = Sandbox(folder, tools=["*"], read=True)
    async with host, Runtime(workers=[worker], sandbox=sandbox) as runtime:
        await serve_mcp(runtime, name="acme", instructions="Reads the text files of one folder.")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python mcp_server.py FOLDER")
    asyncio.run(main(sys.argv[1]))
