"""A client of version 1 of the SDK: run it with `old_python` and an address or a command; it prints what it got."""

# mypy: ignore-errors
# The types here are those of version 2.

from __future__ import annotations

import asyncio
import json
import sys

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def main(words: list[str]) -> None:
    """Connect, list, call a tool, fail with another, call one that is not there."""
    is_http = words[0].startswith("http://")
    way = streamablehttp_client(words[0]) if is_http else stdio_client(_process(words))
    async with way as streams, ClientSession(streams[0], streams[1]) as session:
        hello = await session.initialize()
        listed = await session.list_tools()
        good = await session.call_tool("add", {"first": 2, "second": 3})
        bad = await session.call_tool("failing", {})
        try:
            await session.call_tool("nowhere", {})
            refused = None
        except McpError as error:
            refused = error.error.code
    got = {
        "version": hello.protocolVersion,
        "tools": [tool.name for tool in listed.tools],
        "good": [good.isError, good.structuredContent, good.content[0].text],
        "bad": [bad.isError, bad.content[0].text],
        "refused": refused,
    }
    print(json.dumps(got))


def _process(words: list[str]) -> StdioServerParameters:
    return StdioServerParameters(command=words[0], args=words[1:])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
