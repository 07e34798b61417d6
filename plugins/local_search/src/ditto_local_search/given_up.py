"""Work in a thread that its caller may give up."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class GivenUp(Exception):
    """Raised inside of the thread: nobody waits for the work any more."""


class Ticket:
    """One piece of work: its thread says which connection it uses, its caller may interrupt it there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._given_up = False
        self._connection: sqlite3.Connection | None = None

    def give_up(self) -> None:
        """Stop the work: what it does in SQLite now is interrupted, and nothing more is begun."""
        with self._lock:
            self._given_up = True
            if self._connection is not None:
                self._connection.interrupt()

    def check(self) -> None:
        """Raise :class:`GivenUp` when nobody waits any more."""
        if self._given_up:
            raise GivenUp

    @contextmanager
    def using(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Let the connection be interrupted while the block runs; nobody else may use it meanwhile."""
        with self._lock:
            self.check()
            self._connection = connection
        try:
            yield
        finally:
            with self._lock:
                self._connection = None
