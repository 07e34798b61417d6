"""The adapter to the official SDK keeps the contract of an MCP client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from ditto_core import McpClient
from ditto_mcp import connect_inprocess
from ditto_testkit import McpClientContract
from tests.support.mcp_servers.probes import TOOLS, probes


class TestInProcess(McpClientContract):
    contract = 1
    echo, failing, endless, hidden = TOOLS[0], (TOOLS[1], {}), (TOOLS[2], {}), TOOLS[3]

    def client(self) -> AbstractAsyncContextManager[McpClient]:
        return connected()

    def reached(self, client: Any) -> list[str]:
        return REACHED[client]


REACHED: dict[Any, list[str]] = {}
"""By client, the names of the calls that have reached its server."""


@asynccontextmanager
async def connected() -> AsyncIterator[McpClient]:
    """Connect to a server of its own, and show all of its tools but one."""
    reached: list[str] = []
    async with connect_inprocess(probes(reached)) as connection:
        client = connection.client(allow=TOOLS[:3])
        REACHED[client] = reached
        try:
            yield client
        finally:
            del REACHED[client]
