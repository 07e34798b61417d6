"""An index in SQLite's FTS5: filled once, then only read, by one thread after the other."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable, Iterator

from ditto_core import SearchHit

from .documents import Document, one_line, title_of
from .given_up import Ticket
from .guarded import Guarded
from .limits import MAX_SNIPPET, SNIPPET_WORDS
from .words import matching, telling

TABLES = """
CREATE VIRTUAL TABLE documents USING fts5(title, body, url UNINDEXED, tokenize = "unicode61 remove_diacritics 2");
INSERT INTO documents(documents, rank) VALUES ('rank', 'bm25(5.0, 1.0)');
CREATE VIRTUAL TABLE words USING fts5vocab(documents, 'row');
"""
_INSERT = "INSERT INTO documents(title, body, url) VALUES (?, ?, ?)"
_SEARCH = f"""
SELECT rowid, title, url, snippet(documents, 1, '', '', '…', {SNIPPET_WORDS}) FROM documents
WHERE documents MATCH ? ORDER BY rank LIMIT ?
"""  # noqa: S608 - a number of ours


class Index:
    """Documents that can be searched. It owns its connection.

    ``close()`` interrupts what runs in it and closes the connection. Without it that happens when nobody holds the
    index any more: a search that still runs keeps the one that it began in, whatever has been built since.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._guarded = Guarded(connection)
        self._count = 0
        self._common: frozenset[str] = frozenset()
        self.close = weakref.finalize(self, self._guarded.close)

    def fill(self, documents: Iterable[tuple[Document, str]], ticket: Ticket) -> int:
        """Index the documents, each with a title for want of a better one, and return how many there are.

        Raises ``sqlite3.Error``, and :class:`GivenUp`.
        """
        with self._guarded.used(ticket) as connection:
            connection.executescript(TABLES)
            connection.execute("BEGIN")
            connection.executemany(_INSERT, _rows(documents, ticket))
            connection.execute("COMMIT")
            (self._count,) = connection.execute("SELECT count(*) FROM documents").fetchone()
            common = connection.execute("SELECT term FROM words WHERE doc * 2 > ?", (self._count,))
            self._common = frozenset(term for (term,) in common)
            connection.execute("PRAGMA query_only = ON")
        return self._count

    def search(self, words: list[str], limit: int, ticket: Ticket) -> list[SearchHit]:
        """Return the best documents: first those with all words, then, if there are too few, those with any.

        A word that more than half of the documents hold tells nothing and takes long, so it is left out unless
        there is no other. Raises ``sqlite3.Error``, and :class:`GivenUp`.
        """
        chosen = telling(words, self._common)
        limit = min(limit, self._count)  # which SQLite can hold, whatever was asked for
        with self._guarded.used(ticket) as connection:
            rows = _matching(connection, matching(chosen, "AND"), limit)
            if len(rows) < limit and len(chosen) > 1:
                rows = {**rows, **_matching(connection, matching(chosen, "OR"), limit)}
        return [
            SearchHit(title=title, url=url, snippet=one_line(snippet)[:MAX_SNIPPET])
            for title, url, snippet in list(rows.values())[:limit]
        ]


def _matching(connection: sqlite3.Connection, expression: str, limit: int) -> dict[int, tuple[str, str, str]]:
    found = connection.execute(_SEARCH, (expression, limit)).fetchall()
    return {number: (title, url, snippet) for number, title, url, snippet in found}


def _rows(documents: Iterable[tuple[Document, str]], ticket: Ticket) -> Iterator[tuple[str, str, str]]:
    for document, name in documents:
        ticket.check()
        yield title_of(document, name), document.text, document.url
