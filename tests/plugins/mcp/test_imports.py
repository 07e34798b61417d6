"""The SDK is imported when a connection is opened, and a missing one is said clearly."""

from __future__ import annotations

import subprocess
import sys

from tests.support.project import ROOT


def printed(script: str) -> str:
    words = [sys.executable, "-W", "error", "-c", script]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout


def test_neither_the_package_nor_a_connection_that_is_not_opened_imports_the_sdk() -> None:
    script = (
        "import sys, ditto_mcp as m; c = m.connect_stdio('true'); c.client(); m.connect_http('http://host/mcp').client();"
        "print(sorted({'mcp', 'mcp_types', 'pydantic', 'httpx2', 'anyio'} & set(sys.modules)))"
    )
    assert printed(script) == "[]\n"


def test_a_missing_sdk_is_one_clear_error() -> None:
    script = (
        "import asyncio, sys, ditto_mcp; sys.modules['mcp'] = None\n"
        "try: asyncio.run(ditto_mcp.connect_stdio('true').open())\n"
        "except ditto_mcp.McpSdkMissing as error: print(error.code, error)"
    )
    told = "The MCP SDK is not installed. Install it: pip install 'mcp>=2.3,<3'."
    assert printed(script) == f"MCP_SDK_MISSING {told}\n"


def test_the_sdk_and_a_connection_bring_no_warning() -> None:
    script = (
        "import asyncio, ditto_mcp\n"
        "from mcp.server import MCPServer\n"
        "async def main():\n"
        "    for mode in 'auto', 'legacy':\n"
        "        async with ditto_mcp.connect_inprocess(MCPServer('x'), mode=mode) as connection:\n"
        "            print(len((await connection.client().list_tools()).tools))\n"
        "asyncio.run(main())"
    )
    assert printed(script) == "0\n0\n"
