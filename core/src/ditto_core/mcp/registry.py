"""The registry of MCP clients, and the way of one discovery or invocation through it.

input → permission → look-up → client → check → capabilities or a result
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import overload

from ..callables import is_async
from ..contracts.mcp import (
    McpDiscover,
    McpDiscovered,
    McpInput,
    McpInvoke,
    McpInvoked,
    McpOutput,
    check_server_name,
)
from ..contracts.unset import UNSET
from ..errors import DuplicateName, InvalidClient, InvalidInput, InvalidName, InvalidValue, UnknownServer
from ..plugins.wording import listed
from ..ports import McpClient
from ..sandbox import Sandbox
from ..text import describe, guess, quote
from .discovery import discover
from .invocation import invoke
from .limits import MAX_CAPABILITIES, MAX_PAGES, DiscoveryLimits


class McpRegistry:
    """Connected MCP clients by the names of their servers. It opens, closes and caches nothing.

    One discovery asks for at most `max_discovery_pages` pages and returns at most `max_capabilities` tools, over all
    the servers that it asks. Without `max_discovery_bytes` the names, texts and schemas may be of any size; without
    `discovery_timeout`, in seconds, a discovery may take any time. Raises :class:`InvalidValue` for a limit that is no
    positive number.

    May be changed from any thread; calls belong to the event loop.
    """

    def __init__(
        self,
        *,
        max_discovery_pages: int = MAX_PAGES,
        max_capabilities: int = MAX_CAPABILITIES,
        max_discovery_bytes: int | None = None,
        discovery_timeout: float | None = None,
    ) -> None:
        self._limits = DiscoveryLimits(
            pages=max_discovery_pages,
            capabilities=max_capabilities,
            size=max_discovery_bytes,
            seconds=discovery_timeout,
        )
        self._clients: dict[str, _Registered] = {}
        self._lock = threading.Lock()

    def register(self, server: str, client: McpClient) -> Callable[[], bool]:
        """Add the client of a server and return its undo, which answers True once and then False.

        The undo holds for the next call: it closes nothing and leaves what has begun alone. Raises
        :class:`InvalidName` for a name that is blank, ``*``, or has a colon or a control character,
        :class:`DuplicateName`, and :class:`InvalidClient` for what does not fill the port.
        """
        try:
            check_server_name(server, "name")
        except InvalidValue as error:
            raise InvalidName(f"McpRegistry.register, server {error}.") from None
        _check_client(server, client)
        registered = _Registered(client)
        with self._lock:
            if server in self._clients:
                raise DuplicateName(
                    f"MCP server {quote(server)}: the name is taken by {describe(self._clients[server].client)}. "
                    "Give this one another name, or undo the registration of that one."
                )
            self._clients[server] = registered
        return lambda: self._remove(server, registered)

    def _remove(self, server: str, registered: _Registered) -> bool:
        with self._lock:
            if self._clients.get(server) is not registered:
                return False
            del self._clients[server]
            return True

    def servers(self) -> tuple[str, ...]:
        """Return the names of the registered servers, in the order of their registration."""
        with self._lock:
            return tuple(self._clients)

    @overload
    async def execute(self, input: McpDiscover, sandbox: Sandbox) -> McpDiscovered: ...
    @overload
    async def execute(self, input: McpInvoke, sandbox: Sandbox) -> McpInvoked: ...
    @overload
    async def execute(self, input: McpInput, sandbox: Sandbox) -> McpOutput: ...
    async def execute(self, input: McpInput, sandbox: Sandbox) -> McpOutput:
        """Discover tools or call one, as `input` asks, on servers that are registered and that `sandbox` permits.

        Raises before any client is asked: :class:`InvalidInput`, :class:`PermissionDenied`, :class:`UnknownServer`,
        and :class:`InvalidArguments` when a call's arguments are no JSON object. A discovery raises
        :class:`DiscoveryError` when a catalogue cannot be read whole; an invocation :class:`InvalidResult` for an
        answer that breaks the rules (its effect may have happened). What a client raises passes unchanged.
        """
        if not isinstance(sandbox, Sandbox):
            raise InvalidInput(f"McpRegistry.execute: sandbox must be a Sandbox, not {describe(sandbox)}.")
        if type(input) is McpInvoke:
            return McpInvoked(result=await invoke(self._client(input.server, sandbox), input))
        if type(input) is not McpDiscover:
            raise InvalidInput(f"McpRegistry.execute: takes an McpDiscover or an McpInvoke, not {describe(input)}.")
        if input.server is UNSET:
            clients = self._permitted(sandbox)
        else:
            clients = {input.server: self._client(input.server, sandbox)}
        return await discover(clients, self._limits)

    def _client(self, server: str, sandbox: Sandbox) -> McpClient:
        sandbox.require("mcp", server)
        registered = self._clients.get(server)
        if registered is None:
            others = self.servers()
            raise UnknownServer(
                f"MCP server {quote(server)}: no client is registered under that name. "
                f"Registered servers: {listed(others)}.{guess(server, others)}"
            )
        return registered.client

    def _permitted(self, sandbox: Sandbox) -> dict[str, McpClient]:
        """Return all clients; unless the sandbox permits every one of them, none is asked."""
        with self._lock:
            clients = {server: registered.client for server, registered in self._clients.items()}
        for server in clients:
            sandbox.require("mcp", server)
        return clients


class _Registered:
    """One registration, which is not another one of the same client under the same name."""

    __slots__ = ("client",)

    def __init__(self, client: McpClient) -> None:
        self.client = client


def _check_client(server: str, client: object) -> None:
    missing = [name for name in ("list_tools", "call_tool") if not is_async(getattr(client, name, None))]
    if isinstance(client, type) or missing:
        what = "a class" if isinstance(client, type) else f"{describe(client)}, which has no async {missing[0]}()"
        raise InvalidClient(
            f"MCP server {quote(server)}: needs an McpClient with async list_tools() and call_tool(), not {what}. "
            "Connect a client first and register that."
        )
