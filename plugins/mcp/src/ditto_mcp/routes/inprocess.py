"""Servers of this process: objects of the SDK, without any transport."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from ditto_core import InvalidValue, describe

from ..connection import McpConnection
from ..sdk import client_info
from .route import protocol_mode

if TYPE_CHECKING:
    from mcp import Client
    from mcp.server import MCPServer, Server


def connect_inprocess(
    server: MCPServer | Server[Any], *, mode: str = "auto", connect_timeout: float = 30.0
) -> McpConnection:
    """Return a connection to a server of the SDK in this process: no transport, and nothing that is written as JSON.

    - ``server``: an ``MCPServer`` or a low-level ``Server`` of the package ``mcp``.
    - ``mode``, ``connect_timeout``: as in :func:`connect_stdio`.

    Raises :class:`InvalidValue` for anything else.
    """
    from mcp.server import MCPServer, Server

    if not isinstance(server, MCPServer | Server):
        raise InvalidValue("connect_inprocess.server", f"must be an MCPServer or a Server, not {describe(server)}")
    return McpConnection(
        InProcessRoute(server, mode=protocol_mode(mode, "connect_inprocess")), connect_timeout=connect_timeout
    )


@attrs.define(eq=False, repr=False)
class InProcessRoute:
    """The way to a server of this process."""

    label: ClassVar[str] = "The MCP server in this process"

    server: MCPServer | Server[Any]
    mode: str = attrs.field(kw_only=True)

    @asynccontextmanager
    async def client(self, hang_up: asyncio.Event) -> AsyncIterator[Client]:
        """Enter the server's lifespan and a session with it; leave both."""
        from mcp import Client

        async with Client(self.server, mode=self.mode, client_info=client_info(), cache=None) as client:
            yield client

    def last_words(self) -> str:
        """Return nothing: there is no other end that could fail by itself."""
        return ""
