"""A connection that many threads share: one at a time, until somebody closes it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ditto_core import SearchFailed

from .given_up import Ticket

_PAUSE: Final = 0.05  # seconds between two interruptions: one that comes before a statement has begun is lost


class Guarded:
    """A connection with a lock."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def used(self, ticket: Ticket) -> Iterator[sqlite3.Connection]:
        """Give the connection to this thread alone, until the block ends.

        Raises :class:`SearchFailed` once it is closed, and :class:`GivenUp`.
        """
        with self._lock:
            if self._closed:
                raise SearchFailed("LocalSearch: it was left while the search waited.")
            with ticket.using(self._connection):
                yield self._connection

    def close(self) -> None:
        """Let nobody use it any more, interrupt whoever does, and close it; safe twice."""
        self._closed = True
        while not self._lock.acquire(timeout=_PAUSE):
            self._connection.interrupt()
        try:
            self._connection.close()
        finally:
            self._lock.release()
