"""The ports that sinks and web-search providers fill. All methods are cancelled by task cancellation.

Whoever fills a port never closes itself: resources are opened and left by the plugin that offers it, or by the
application.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from .contracts.checks import check_text
from .contracts.delivery import OutputReceipt, OutputRequest
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
