"""An index in SQLite's FTS5: filled once, then only read, by one thread after the other."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator

from ditto_core import SearchHit

from .documents import Document, one_line, title_of
from .given_up import Ticket
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
    """Documents that can be searched. It owns its connection, which is closed when nobody holds the index any more.

    So a search that still runs keeps the index that it began in, whatever has been built since.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._common: frozenset[str] = frozenset()
        weakref.finalize(self, _close, connection, self._lock)

    def fill(self, documents: Iterable[tuple[Document, str]], ticket: Ticket) -> int:
        """Index the documents, each with a title for want of a better one, and return how many there are.

        Raises ``sqlite3.Error``, and :class:`GivenUp`.
        """
        with self._lock, ticket.using(self._connection):
            self._connection.executescript(TABLES)
            self._connection.execute("BEGIN")
            self._connection.executemany(_INSERT, _rows(documents, ticket))
            self._connection.execute("COMMIT")
            (count,) = self._connection.execute("SELECT count(*) FROM documents").fetchone()
            common = self._connection.execute("SELECT term FROM words WHERE doc * 2 > ?", (count,))
            self._common = frozenset(term for (term,) in common)
            self._connection.execute("PRAGMA query_only = ON")
        return int(count)

    def search(self, words: list[str], limit: int, ticket: Ticket) -> list[SearchHit]:
        """Return the best documents: first those with all words, then, if there are too few, those with any.

        A word that more than half of the documents hold tells nothing and takes long, so it is left out unless
        there is no other. Raises ``sqlite3.Error``, and :class:`GivenUp`.
        """
        with self._lock, ticket.using(self._connection):
            chosen = telling(words, self._common)
            rows = self._matching(matching(chosen, "AND"), limit)
            if len(rows) < limit and len(chosen) > 1:
                rows = {**rows, **self._matching(matching(chosen, "OR"), limit)}
        return [
            SearchHit(title=title, url=url, snippet=one_line(snippet)[:MAX_SNIPPET])
            for title, url, snippet in list(rows.values())[:limit]
        ]

    def _matching(self, expression: str, limit: int) -> dict[int, tuple[str, str, str]]:
        found = self._connection.execute(_SEARCH, (expression, limit)).fetchall()
        return {number: (title, url, snippet) for number, title, url, snippet in found}


def _rows(documents: Iterable[tuple[Document, str]], ticket: Ticket) -> Iterator[tuple[str, str, str]]:
    for document, name in documents:
        ticket.check()
        yield title_of(document, name), document.text, document.url


def _close(connection: sqlite3.Connection, lock: threading.Lock) -> None:
    """Close it; at the end of the process a search may still run in a thread."""
    connection.interrupt()
    with lock:
        connection.close()
