"""One discovery: all pages of all the servers that it asks, or an error that names the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from ..contracts.mcp import McpCapability, McpDiscovered
from ..contracts.mcp_answers import McpPage
from ..errors import DiscoveryError, InvalidValue
from ..ports import McpClient
from ..text import quote
from .asking import ask
from .limits import DiscoveryLimits
from .pages import capabilities_of, check_page, size_of


async def discover(clients: Mapping[str, McpClient], limits: DiscoveryLimits) -> McpDiscovered:
    """Return the tools of all these servers, in their order.

    Raises :class:`DiscoveryError`, or what a client raises.
    """
    discovery = _Discovery(limits)
    deadline = asyncio.timeout(limits.seconds)
    try:
        async with deadline:
            for server, client in clients.items():
                await discovery.visit(server, client)
    except TimeoutError as error:
        if not deadline.expired():
            raise
        problem = f"the discovery did not end within {limits.seconds:g} s; raise discovery_timeout"
        raise discovery.failed(problem) from error.__cause__
    return McpDiscovered(capabilities=tuple(discovery.found))


class _Discovery:
    """What has been found so far, and what is left of the budgets that the servers share."""

    def __init__(self, limits: DiscoveryLimits) -> None:
        self.found: list[McpCapability] = []
        self._limits = limits
        self._pages = 0
        self._size = 0
        self._where = ""

    async def visit(self, server: str, client: McpClient) -> None:
        """Add the tools of one server."""
        cursors: set[str] = set()
        names: set[str] = set()
        cursor: str | None = None
        self._where = f"MCP server {quote(server)}"
        while True:
            if self._pages == self._limits.pages:
                raise self._over("pages", self._limits.pages, "max_discovery_pages")
            self._pages += 1
            self._where = f"MCP server {quote(server)}, page {len(cursors) + 1}"
            page = await self._page(client, cursor)
            cursor = page.next_cursor
            if cursor in cursors:
                raise self.failed("its nextCursor has come before, so the pages would have no end. Mend the server")
            self._add(server, page, names)
            if cursor is None:
                return
            cursors.add(cursor)
            await asyncio.sleep(0)  # a client that waits for nothing would leave no moment to be cancelled in

    async def _page(self, client: McpClient, cursor: str | None) -> McpPage:
        request = client.list_tools() if cursor is None else client.list_tools(cursor)
        try:
            page = await ask(request, self.failed)
        except DiscoveryError:
            raise
        except Exception as error:
            with suppress(Exception):  # there are exceptions that take no notes
                note = f"in the discovery of {self._where}"
                if note not in getattr(error, "__notes__", ()):  # a client may raise the same one each time
                    error.add_note(note)
            raise
        try:
            return check_page(page)
        except InvalidValue as error:
            raise self.failed(str(error)) from None

    def _add(self, server: str, page: McpPage, names: set[str]) -> None:
        if len(self.found) + len(page.tools) > self._limits.capabilities:
            raise self._over("tools", self._limits.capabilities, "max_capabilities")
        try:
            capabilities = capabilities_of(server, page)
        except InvalidValue as error:
            raise self.failed(str(error)) from None
        for index, capability in enumerate(capabilities):
            if capability.name in names:
                raise self.failed(f"tools[{index}].name: {quote(capability.name)} is listed twice")
            names.add(capability.name)
        if self._limits.size is not None:
            self._size += sum(map(size_of, capabilities))
            if self._size > self._limits.size:
                raise self._over("bytes of names, texts and schemas", self._limits.size, "max_discovery_bytes")
        self.found += capabilities

    def _over(self, what: str, limit: int, option: str) -> DiscoveryError:
        return self.failed(
            f"the discovery needs more than {limit:,} {what}, over all of its servers. "
            f"Raise {option} of the McpRegistry, or discover fewer servers"
        )

    def failed(self, problem: str) -> DiscoveryError:
        """Return the error of the page that is looked at, naming its server."""
        return DiscoveryError(f"{self._where}: {problem}. Nothing is returned.")
