"""A view of a server: the neutral client, with a choice of tools and deadlines of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeAlias

from ditto_core import InvalidValue, JsonObject, McpPage, McpToolResult, quote

from .errors import McpInvalidArguments, McpNotAllowed, McpNotListed
from .mapping.arguments import is_plain_json
from .mapping.results import tool_result
from .mapping.tools import tool_of

if TYPE_CHECKING:
    from mcp.types import Tool

    from .connection import McpConnection

Allow: TypeAlias = "Collection[str] | Callable[[Tool], bool] | None"
"""Which tools a view shows: names, a question to be asked about each tool, or all."""


def read_only(tool: Tool) -> bool:
    """Tell whether a tool's server says that it changes nothing, for ``allow``.

    That is the server's own claim, and no claim counts as no: use it for servers that you trust.
    """
    return tool.annotations is not None and tool.annotations.read_only_hint is True


class McpView:
    """What :meth:`McpConnection.client` returns, an :class:`~ditto_core.McpClient`.

    It shows and calls the tools that were chosen, maps what the SDK answers, and closes nothing.
    """

    def __init__(
        self,
        connection: McpConnection,
        *,
        allow: Allow,
        call_timeout: float,
        list_timeout: float,
        max_inline_bytes: int,
    ) -> None:
        self._connection = connection
        self._names, self._question = _choice(allow)
        if self._question is not None:
            connection.catalogue.keep_tools()
        self._call_timeout = call_timeout
        self._list_timeout = list_timeout
        if type(max_inline_bytes) is not int or max_inline_bytes < 0:
            raise InvalidValue("McpConnection.client.max_inline_bytes", "must be a number of bytes from 0 up")
        self._max_inline_bytes = max_inline_bytes

    def __repr__(self) -> str:
        """Show what it is a view of."""
        return f"<McpView of {self._connection!r}>"

    async def list_tools(self, cursor: str | None = None) -> McpPage:
        """Return one page of the server's tools without those that are not allowed; its cursor is the server's.

        Raises an :class:`McpError`.
        """
        if not self._connection.offers_tools:
            return McpPage(tools=())
        page = await self._connection.catalogue.page(cursor, timeout=self._list_timeout)
        shows_all = self._names is None and self._question is None
        shown = page.tools if shows_all else filter(self._allows, page.tools)
        return McpPage(tools=[tool_of(tool) for tool in shown], next_cursor=page.next_cursor)

    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        """Call a tool once and return what it answered; a tool's own failure is an answer.

        A tool that this connection has not listed yet is listed first. Raises an :class:`McpError`:
        :class:`McpNotAllowed`, :class:`McpNotListed` and :class:`McpInvalidArguments` say that it was not called,
        the others tell what is known.
        """
        if self._names is not None and name not in self._names:
            raise self._refusal(name)
        if type(arguments) is not dict or not is_plain_json(arguments):
            raise McpInvalidArguments(
                f"The arguments for the tool {quote(name)} are no plain JSON object. Nothing was sent."
            )
        await self._check_listed(name)
        result = await self._connection.request(
            lambda client: client.call_tool(name, arguments), timeout=self._call_timeout
        )
        return tool_result(result, max_inline_bytes=self._max_inline_bytes)

    async def _check_listed(self, name: str) -> None:
        catalogue = self._connection.catalogue
        if self._question is None:
            if await catalogue.lists(name, timeout=self._list_timeout):
                return
        elif (tool := await catalogue.tool(name, timeout=self._list_timeout)) is not None:
            if self._question(tool) is not True:
                raise self._refusal(name)
            return
        raise McpNotListed(f"{self._connection.label} lists no tool {quote(name)}. It was not called.")

    def _allows(self, tool: Tool) -> bool:
        if self._names is not None:
            return tool.name in self._names
        return self._question is None or self._question(tool) is True

    def _refusal(self, name: str) -> McpNotAllowed:
        return McpNotAllowed(f"The tool {quote(name)} is not one that this view allows. It was not called.")


def _choice(allow: Allow) -> tuple[frozenset[str] | None, Callable[[Tool], bool] | None]:
    if allow is None:
        return None, None
    if callable(allow):
        return None, allow
    if isinstance(allow, str) or not isinstance(allow, Collection) or not all(type(name) is str for name in allow):
        raise InvalidValue(
            "McpConnection.client.allow", "must be names of tools such as {'read_text_file'}, a function or None"
        )
    return frozenset(allow), None
