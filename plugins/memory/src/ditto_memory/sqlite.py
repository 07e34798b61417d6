"""Memories in one SQLite file, which several processes may share."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from ditto_core import UNSET, InvalidValue, describe, in_thread, quote

from .backend import MemoryFailed
from .contracts import MemoryItem, NewMemory
from .json_text import read, written
from .schema import check_table, prepare
from .transactions import transaction

R = TypeVar("R")

MAX_ITEM_BYTES = 1_048_576
"""How large the content and the metadata of one memory may be together, as JSON in UTF-8."""
MAX_BATCH_BYTES = 16_777_216
"""How large all those of one call may be together."""
MAX_BUSY_TIMEOUT = 3_600.0
"""The longest time that a lock may be waited for, in seconds."""

_Row = tuple[str, str | None, str, str | None]


class SqliteMemory:
    """A backend in the SQLite file at `path`, in one `table`, both made by the first call.

    A write is one transaction, on disk when it returns. Any number of objects, threads and processes may use the file
    at once: SQLite lets one write at a time, and a call waits at most `busy_timeout` seconds for each of its locks.
    Every call opens the file and closes it, in a daemon thread, so there is nothing to close, and a fork is harmless.
    A call that is cancelled may have been stored, whole.

    The file must be on a disk of this machine: SQLite's write-ahead log does not work over a network. Raises
    :class:`ditto_core.InvalidValue`, for ``":memory:"`` too, which no two calls would share.
    """

    def __init__(self, path: str | os.PathLike[str], *, table: str = "memories", busy_timeout: float = 5.0) -> None:
        self._path = _file(path)
        self._table = check_table(table)
        if type(busy_timeout) not in (int, float) or not 0 <= busy_timeout <= MAX_BUSY_TIMEOUT:
            raise InvalidValue("SqliteMemory.busy_timeout", f"must be 0 to {MAX_BUSY_TIMEOUT:,} seconds")
        self._patience = busy_timeout
        self._prepared = False

    async def get(self, ids: Sequence[str], keys: Sequence[str]) -> Sequence[MemoryItem]:
        """Return the memories that have one of these ids or keys, as they were at one moment."""
        return [_item(row) for row in await in_thread(self._transact, lambda db: self._found(db, ids, keys))]

    async def write(self, memories: Sequence[NewMemory]) -> Sequence[MemoryItem]:
        """Store all of these or none, and return each as it is stored."""
        rows = [_row(memory) for memory in memories]
        _check_size(rows)
        return [_item(row) for row in await in_thread(self._transact, lambda db: self._stored(db, rows))]

    def _transact(self, work: Callable[[sqlite3.Connection], R]) -> R:
        if not self._prepared:
            transaction(self._path, lambda db: prepare(db, self._table), patience=self._patience)
            self._prepared = True
        return transaction(self._path, work, patience=self._patience)

    def _found(self, db: sqlite3.Connection, ids: Sequence[str], keys: Sequence[str]) -> list[_Row]:
        db.execute("BEGIN")
        rows: dict[str, _Row] = {}
        size = 0
        for column, names in (("id", ids), ("memory_key", keys)):
            for name in names:
                row = self._one(db, column, name)
                if row is not None and row[0] not in rows:
                    rows[row[0]] = row
                    size += _size(row)
                    if size > MAX_BATCH_BYTES:
                        raise MemoryFailed(
                            "LIMIT_EXCEEDED",
                            f"What was asked for has more than {MAX_BATCH_BYTES:,} bytes. Ask for less at once.",
                        )
        return list(rows.values())

    def _stored(self, db: sqlite3.Connection, rows: list[_Row]) -> list[_Row]:
        db.execute("BEGIN IMMEDIATE")
        stored = []
        for row in rows:
            there = None if row[1] is None else self._one(db, "memory_key", row[1])
            if there is None:
                db.execute(f"INSERT INTO {self._table} VALUES (?, ?, ?, ?)", row)  # noqa: S608 - a checked name
            elif there[2:] != row[2:]:
                raise MemoryFailed(
                    "KEY_CONFLICT",
                    f"The key {quote(row[1])} is there with another content or other metadata. Nothing was stored.",
                )
            stored.append(there or row)
        db.execute("COMMIT")
        return stored

    def _one(self, db: sqlite3.Connection, column: str, value: str) -> _Row | None:
        query = f"SELECT id, memory_key, content, metadata FROM {self._table} WHERE {column} = ?"  # noqa: S608 - again
        row: _Row | None = db.execute(query, (value,)).fetchone()
        if row is not None and not all(text is None or type(text) is str for text in row):
            raise _no_memory()
        return row


def _file(path: object) -> str:
    if not isinstance(path, str | os.PathLike):
        raise InvalidValue("SqliteMemory.path", f"must be a path, not {describe(path)}")
    name = os.fspath(path)
    if type(name) is not str or not name.strip() or "\0" in name or name == ":memory:":
        raise InvalidValue(
            "SqliteMemory.path", "must name a file, and no database in memory: its calls would share nothing"
        )
    return str(Path(name).absolute())


def _row(memory: NewMemory) -> _Row:
    key = None if memory.key is UNSET else memory.key
    metadata = None if memory.metadata is UNSET else written(memory.metadata)
    return uuid4().hex, key, written(memory.content), metadata


def _item(row: _Row) -> MemoryItem:
    id, key, content, metadata = row
    try:
        return MemoryItem(
            id=id,
            content=read(content),
            key=UNSET if key is None else key,
            metadata=UNSET if metadata is None else read(metadata),
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise _no_memory() from error


def _no_memory() -> MemoryFailed:
    return MemoryFailed("INVALID_BACKEND_OUTPUT", "The memory database holds a row that is no memory.")


def _check_size(rows: Sequence[_Row]) -> None:
    sizes = [_size(row) for row in rows]
    for row, size in zip(rows, sizes, strict=True):
        if size > MAX_ITEM_BYTES:
            which = "A memory without a key" if row[1] is None else f"The memory {quote(row[1])}"
            raise MemoryFailed(
                "LIMIT_EXCEEDED",
                f"{which} has {size:,} bytes as JSON, and may have {MAX_ITEM_BYTES:,}. "
                "Keep it elsewhere, and a reference here.",
            )
    if sum(sizes) > MAX_BATCH_BYTES:
        raise MemoryFailed(
            "LIMIT_EXCEEDED", f"The batch has more than {MAX_BATCH_BYTES:,} bytes as JSON. Write several."
        )


def _size(row: _Row) -> int:
    return sum(len(text.encode()) for text in row[2:] if text is not None)
