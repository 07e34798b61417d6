"""The tables of a SQLite file that holds memories, and how they get there."""

from __future__ import annotations

import re
import sqlite3

from ditto_core import InvalidValue, quote

from .backend import MemoryFailed

VERSION = 1
"""The layout of the tables, written beside their names."""

_NAME = re.compile("[a-z][a-z0-9_]{0,62}")
_BOOK = "ditto_memory_tables"


def check_table(name: str) -> str:
    """Return the name of a table; raises :class:`InvalidValue` for one that may not be written into a statement."""
    if type(name) is not str or not _NAME.fullmatch(name) or name.startswith("sqlite_") or name == _BOOK:
        raise InvalidValue(
            "SqliteMemory.table", f"must be 1 to 63 of a-z, 0-9 and _, a letter first, not {quote(name)}"
        )
    return name


def prepare(db: sqlite3.Connection, table: str) -> None:
    """Make the table if this file has never had it, in one transaction with the note that it has.

    A table that is noted and not there is not made anew: the memories are somewhere, and an empty table in their
    place would be taken for the truth.
    """
    (mode,) = db.execute("PRAGMA journal_mode=WAL").fetchone()
    if mode != "wal":
        raise MemoryFailed("MEMORY_BACKEND_ERROR", "The database cannot keep a write-ahead log where its file is.")
    version = _version(db, table)
    if version is None:
        db.execute("BEGIN IMMEDIATE")
        version = _version(db, table)  # another process may have been first
        if version is None:
            _make(db, table)
            version = VERSION
        db.execute("COMMIT")
    if version != VERSION:
        raise MemoryFailed("MEMORY_BACKEND_ERROR", "The database was made by another version of ditto-memory.")


def _version(db: sqlite3.Connection, table: str) -> object:
    """Return the layout that is noted for the table, or None when none is."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_BOOK,)).fetchone() is None:
        return None
    noted = db.execute(f"SELECT version FROM {_BOOK} WHERE name = ?", (table,)).fetchone()  # noqa: S608 - a constant
    return noted and noted[0]


def _make(db: sqlite3.Connection, table: str) -> None:
    db.execute(f"CREATE TABLE IF NOT EXISTS {_BOOK} (name TEXT PRIMARY KEY, version INTEGER NOT NULL)")
    db.execute(
        f"CREATE TABLE IF NOT EXISTS {table} "
        "(id TEXT PRIMARY KEY, memory_key TEXT UNIQUE, content TEXT NOT NULL, metadata TEXT)"
    )
    db.execute(f"INSERT INTO {_BOOK} VALUES (?, ?)", (table, VERSION))  # noqa: S608 - a constant
