"""The ports that sinks, web-search providers and MCP clients fill. All methods are cancelled by task cancellation.

Whoever fills a port never closes itself: resources are opened and left by the plugin that offers it, or by the
application.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from .contracts.checks import check_text
from .contracts.delivery import OutputReceipt, OutputRequest
from .contracts.json_values import JsonObject
from .contracts.mcp_answers import McpPage, McpToolResult
from .errors import DittoError


class OutputSink(Protocol):
    """Where answers go: a console, a queue, a user interface."""

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        """Deliver once and say what became of it, under the request's own ``delivery_id``.

        ``accepted`` is this sink's acceptance, in the sense that it documents; ``rejected`` says that nothing was
        delivered, ``unknown`` that it may have been, both with an error. An exception reaches the caller unchanged
        and says nothing about the delivery. The request is not to be changed.
        """


@attrs.frozen(kw_only=True, unsafe_hash=False)
class SearchHit:
    """One hit of a web search, as the provider found it: plain text, not yet cut to any limit.

    A provider whose search engine answers in HTML takes tags and entities out first, see :func:`plain_text`: here
    ``<T>`` and ``&amp;`` mean themselves. ``url`` is an ``http`` or ``https`` URL with a host and without user
    information. Raises :class:`InvalidValue` for what is no string, or holds a lone surrogate.
    """

    __hash__ = None  # type: ignore[assignment]

    title: str
    url: str
    snippet: str = ""

    def __attrs_post_init__(self) -> None:
        check_text(self.title, "SearchHit.title")
        check_text(self.url, "SearchHit.url")
        check_text(self.snippet, "SearchHit.snippet")


class SearchFailed(DittoError):
    """Raised by a provider whose search failed; ``retryable`` hints that the same search may succeed later.

    The text is for those who call the provider themselves: the tool ``web_search`` shows nothing of it.
    """

    def __init__(self, message: str = "The web search failed.", *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class WebSearchProvider(Protocol):
    """A search engine behind one network origin."""

    @property
    def origin(self) -> str | None:
        """The origin that the sandbox's ``network`` list has to hold, such as ``"https://api.example.com"``.

        None only for a provider that opens no connection.
        """

    async def search(self, query: str, limit: int) -> Sequence[SearchHit]:
        """Return at most `limit` hits for a query of one line, the best first; one request, no retry.

        Raises :class:`SearchFailed` when the search fails. Any other exception is a failed search too; the tool
        shows the text of neither. A cancelled caller gets ``CancelledError``.
        """


class McpClient(Protocol):
    """A client that is connected to one MCP server. Closing it is no part of the port: who opened it does that.

    Nothing that a client raises is wrapped, nothing is asked for twice, and no deadline is put to it.
    """

    async def list_tools(self, cursor: str | None = None) -> McpPage:
        """Return one page of the server's catalogue: the first one, or the one that `cursor` stands for.

        A cursor is the ``next_cursor`` of the page before, verbatim; the empty string is one too.
        """

    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        """Call the tool of that name once and return what the server answered.

        `arguments` is the client's own copy of a JSON object that has been checked. A tool's failure is an answer
        (``is_error``); an exception says nothing about the effect of the call.
        """
