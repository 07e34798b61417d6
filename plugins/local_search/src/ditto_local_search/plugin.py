"""The provider, itself a plugin."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Mapping
from itertools import chain
from types import TracebackType
from typing import Annotated, Any, ClassVar, Self, TypeVar

import attrs
from attrs.validators import ge, le

from ditto_core import InvalidValue, SearchFailed, SearchHit, WebSearchProvider, hookimpl, in_thread

from .documents import Document, IndexReport
from .folder import Bounds, Reader
from .given_up import Ticket
from .index import Index
from .limits import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES
from .options import as_tuple, check
from .store import store
from .words import words_of

R = TypeVar("R")


class _Built:
    """The index of a provider, once there is one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        """Is held while an index is built."""
        self.index: Index | None = None


@attrs.frozen(kw_only=True, eq=False)
class LocalSearch:
    """Searches text documents of one's own: no key, no network, no process.

    ``folder`` is searched with all folders below it, and ``documents`` are searched too; one of them has to be given.
    Of a folder these files are indexed: regular ones whose names end in one of ``suffixes`` (upper or lower case),
    which are UTF-8 text, within the limits. Links, and files and folders whose names begin with ``.``, are passed
    over; what cannot be read is skipped and counted, see :class:`IndexReport`.

    A file has no web address, so ``base_url`` stands before its path to make the URL of a hit: ``guide/a b.md`` is
    ``http://documents.invalid/guide/a%20b.md``. Names under ``.invalid`` lead nowhere, which is the truth; give the
    address under which the folder is published if it is.

    The index is built in a thread when the plugin is entered (``async with host``) and let go when it is left. A
    provider that was never entered builds it for its first search. :meth:`refresh` builds it anew. It lives in
    memory, about half as large again as the texts, or in ``index_file``, which is then replaced by each build.

    Raises :class:`InvalidValue` for options that it cannot work with; the folder is first looked at by a build.
    """

    api_version: ClassVar[int] = 1
    name: ClassVar[str] = "local_search"

    folder: Annotated[str, "the folder that is searched"] | None = None
    documents: tuple[Document, ...] = attrs.field(default=(), converter=as_tuple, repr=False)
    base_url: Annotated[str, "stands before the path of a file and ends with '/'"] = "http://documents.invalid/"
    suffixes: Annotated[tuple[str, ...], "how the names of its documents end"] = (".md", ".markdown", ".rst", ".txt")
    max_files: Annotated[int, "files that are indexed", ge(1), le(MAX_FILES)] = 10_000
    max_file_bytes: Annotated[int, "bytes of one of them", ge(1), le(MAX_FILE_BYTES)] = 1_048_576
    max_total_bytes: Annotated[int, "bytes of all together", ge(1), le(MAX_TOTAL_BYTES)] = 67_108_864
    index_file: Annotated[str, "where the index is kept, instead of in memory"] | None = None
    _built: _Built = attrs.field(init=False, factory=_Built, repr=False)

    def __attrs_post_init__(self) -> None:
        check(self)

    @property
    def origin(self) -> None:
        """None: no connection is opened."""
        return

    @hookimpl
    def ditto_web_search_providers(self) -> Mapping[str, WebSearchProvider]:
        """Offer this provider as ``local_search``."""
        return {"local_search": self}

    async def __aenter__(self) -> Self:
        await self.refresh()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        index, self._built.index = self._built.index, None
        if index is not None:
            await in_thread(index.close)

    async def refresh(self) -> IndexReport:
        """Build the index anew, in a thread, and return what it holds; searches use the old one until then.

        Cancelling it stops the build and leaves the old index. Raises :class:`InvalidValue` for a folder that cannot
        be listed and an ``index_file`` that cannot be written or belongs to something else, and
        :class:`SearchFailed` for a failure of SQLite.
        """
        return await _in_thread(Ticket(), self._refresh)

    async def search(self, query: str, limit: int) -> list[SearchHit]:
        """Return the documents that match best, `limit` at the most, each with a piece of its text.

        The words of the query are text and never operators: documents with all of them come first, in the order of
        bm25, a match in the title counting five times; if there are too few, those with any of the words follow. A
        word of three letters or more also finds longer ones that begin with it. Case and accents do not count. A query
        without letters and digits finds nothing.

        Runs in a daemon thread; cancelling it interrupts SQLite. Raises :class:`InvalidValue` for a query of more
        than 600 characters or 75 words and for a limit below 1, and what :meth:`refresh` raises.
        """
        if type(limit) is not int or limit < 1:
            raise InvalidValue("limit", "must be an int of 1 or more")
        words = words_of(query)
        if not words:
            return []
        return await _in_thread(Ticket(), self._search, self._built.index, words, limit)

    def _search(self, index: Index | None, words: list[str], limit: int, ticket: Ticket) -> list[SearchHit]:
        if index is None:
            with self._built.lock:
                index = self._built.index
                if index is None:
                    index, _ = self._build(ticket)
                    self._built.index = index
        return index.search(words, limit, ticket)

    def _refresh(self, ticket: Ticket) -> IndexReport:
        with self._built.lock:
            self._built.index, report = self._build(ticket)
        return report

    def _build(self, ticket: Ticket) -> tuple[Index, IndexReport]:
        ticket.check()
        bounds = Bounds(
            suffixes=tuple(suffix.lower() for suffix in self.suffixes),
            max_files=self.max_files,
            max_file_bytes=self.max_file_bytes,
            max_total_bytes=self.max_total_bytes,
        )
        given = [(document, "") for document in self.documents]
        reader = None if self.folder is None else Reader(self.folder, self.base_url, bounds)
        with store(self.index_file) as connection:
            index = Index(connection)
            count = index.fill(chain(given, reader.documents() if reader else ()), ticket)
        return index, IndexReport(documents=count, skipped=dict(reader.skipped) if reader else {})


async def _in_thread(ticket: Ticket, function: Callable[..., R], *args: Any) -> R:
    """Run it in a thread; when the caller is cancelled, the work is given up."""
    try:
        return await in_thread(function, *args, ticket)
    except asyncio.CancelledError:
        ticket.give_up()
        raise
    except sqlite3.Error as error:
        problem = getattr(error, "sqlite_errorname", type(error).__name__)
    raise SearchFailed(f"LocalSearch: SQLite could not do it ({problem}).")  # out here: the error holds the query
