"""Transactions on a SQLite file: each on a connection of its own, repeated while another process is in the way."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from .backend import MemoryFailed

R = TypeVar("R")

PAUSE = 0.005
"""How many seconds lie between two tries."""

_IN_THE_WAY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})


def transaction(path: str, work: Callable[[sqlite3.Connection], R], *, patience: float) -> R:
    """Return what `work` returns on a new connection, which is closed whatever happens; blocks.

    `work` begins its own transaction and commits it; one that it leaves open is rolled back. SQLite waits `patience`
    seconds for a lock. For some it does not wait, such as while another process cleans up after the last connection
    or after a crash: then all is tried again, until that time is over.

    Raises :class:`MemoryFailed`, and what `work` raises unless it is an error of SQLite's.
    """
    ends = time.monotonic() + patience
    while True:
        try:
            with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous=FULL")  # what is committed outlives a loss of power
                return work(db)
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code not in _IN_THE_WAY:
                raise _failed(error, retryable=False) from error
            if time.monotonic() >= ends:
                raise _failed(error, retryable=True) from error
        time.sleep(PAUSE)


def _failed(error: sqlite3.Error, *, retryable: bool) -> MemoryFailed:
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    fact = "is locked by another process" if retryable else "could not be used"
    return MemoryFailed("MEMORY_BACKEND_ERROR", f"The memory database {fact} ({name}).", retryable=retryable)
