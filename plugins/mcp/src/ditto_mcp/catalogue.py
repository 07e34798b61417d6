"""What a server lists, as far as this connection has seen it.

The SDK checks a call's result against the schema that the tool was listed with. Of a tool that it has not seen it asks
for the list when the call is over, without a deadline, and fails the call if that fails. So a tool is listed first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from .errors import McpInvalidResult, McpTimeout

if TYPE_CHECKING:
    from mcp.types import ListToolsResult, Tool

    from .connection import McpConnection

MAX_PAGES: Final = 1_000
"""How many pages are fetched before a first call."""


class Catalogue:
    """The tools of one connection, by name; all its views share it.

    Thousands of tools with their schemas are much to hold for as long as a connection lives, so the tools themselves
    are kept only once there is a view that asks about each of them.
    """

    def __init__(self, connection: McpConnection) -> None:
        self._connection = connection
        self._tools: dict[str, Tool | None] = {}
        self._keeps_tools = False
        self._listing = asyncio.Lock()

    def keep_tools(self) -> None:
        """From now on keep the tools that are listed, and not their names alone."""
        self._keeps_tools = True

    async def page(self, cursor: str | None, *, timeout: float) -> ListToolsResult:
        """Fetch one page. Raises an :class:`McpError`."""
        page = await self._connection.request(lambda client: client.list_tools(cursor=cursor), timeout=timeout)
        self._tools.update((tool.name, tool if self._keeps_tools else None) for tool in page.tools)
        return page

    async def lists(self, name: str, *, timeout: float) -> bool:
        """Tell whether there is a tool of that name; all pages are fetched unless it has been listed before."""
        await self._look_for(name, self._tools.__contains__, timeout)
        return name in self._tools

    async def tool(self, name: str, *, timeout: float) -> Tool | None:
        """Return a kept tool as it was listed last; all pages are fetched unless it is there. None: there is none."""
        await self._look_for(name, self._tools.get, timeout)
        return self._tools.get(name)

    async def _look_for(self, name: str, known: Callable[[str], object], timeout: float) -> None:
        if known(name):
            return
        limit = asyncio.get_running_loop().time() + timeout
        try:
            async with asyncio.timeout_at(limit):
                await self._listing.acquire()
        except TimeoutError:
            raise McpTimeout(
                f"{self._connection.label} has not listed its tools within {timeout:g} s. No tool was called."
            ) from None
        try:
            if not known(name) and self._connection.offers_tools:
                await self._walk(limit)
        finally:
            self._listing.release()

    async def _walk(self, limit: float) -> None:
        loop = asyncio.get_running_loop()
        cursor, seen = None, set[str]()
        for _ in range(MAX_PAGES):
            page = await self.page(cursor, timeout=max(limit - loop.time(), 0.0))
            cursor = page.next_cursor
            if cursor is None:
                return
            if cursor in seen:
                raise McpInvalidResult(f"{self._connection.label} lists its tools in a circle. No tool was called.")
            seen.add(cursor)
        raise McpInvalidResult(
            f"{self._connection.label} lists its tools on more than {MAX_PAGES:,} pages. No tool was called."
        )
