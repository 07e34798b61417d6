"""What a server lists, as far as this connection has seen it.

The SDK checks a call's result against the schema that the tool was listed with. Of a tool that it has not seen it asks
for the list when the call is over, without a deadline, and fails the call if that fails. So a tool is listed first.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from .errors import McpInvalidResult, McpTimeout

if TYPE_CHECKING:
    from mcp.types import ListToolsResult, Tool

    from .connection import McpConnection

MAX_PAGES: Final = 1_000
"""How many pages are fetched before a first call."""


class Catalogue:
    """The tools of one connection, by name; all its views share it."""

    def __init__(self, connection: McpConnection) -> None:
        self._connection = connection
        self._tools: dict[str, Tool] = {}
        self._listing = asyncio.Lock()

    def get(self, name: str) -> Tool | None:
        """Return a tool as it was listed last."""
        return self._tools.get(name)

    async def page(self, cursor: str | None, *, timeout: float) -> ListToolsResult:
        """Fetch one page. Raises an :class:`McpError`."""
        page = await self._connection.request(lambda client: client.list_tools(cursor=cursor), timeout=timeout)
        self._tools.update((tool.name, tool) for tool in page.tools)
        return page

    async def find(self, name: str, *, timeout: float) -> Tool | None:
        """Return a tool, for which all pages are fetched if it has not been listed yet; None: there is none."""
        limit = asyncio.get_running_loop().time() + timeout
        try:
            async with asyncio.timeout_at(limit):
                await self._listing.acquire()
        except TimeoutError:
            raise McpTimeout(
                f"{self._connection.label} has not listed its tools within {timeout:g} s. No tool was called."
            ) from None
        try:
            if name not in self._tools and self._connection.offers_tools:
                await self._walk(limit)
            return self._tools.get(name)
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
