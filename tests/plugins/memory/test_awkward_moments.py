"""What SQLite says at awkward moments: busy at once, no write-ahead log, somebody else a moment earlier."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ditto_memory import SqliteMemory
from ditto_memory.schema import prepare
from tests.plugins.memory.calling import Calls, code, contents_of, memory, stored, using


class Acting(sqlite3.Connection):
    """A connection that does something else before a statement that begins with certain words."""

    begins: ClassVar[str] = ""
    act: ClassVar[Callable[[], Any]]

    def execute(self, statement: str, *values: Any) -> Any:
        instead = Acting.act() if statement.startswith(Acting.begins) else None
        return super().execute(statement, *values) if instead is None else instead


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[], Any]], None]:
    """Give what makes connections act before statements with that beginning."""

    def install(begins: str, act: Callable[[], Any]) -> None:
        monkeypatch.setattr(Acting, "begins", begins)
        monkeypatch.setattr(Acting, "act", staticmethod(act), raising=False)
        monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Acting))

    return install


async def one(calls: Calls) -> None:
    assert len(stored(await calls.write(memory([0, 0], key="0:0")))) == 1


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY_RECOVERY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL])
def test_a_lock_that_sqlite_does_not_wait_for_is_waited_for(before: Any, tmp_path: Path, code: int) -> None:
    tries = []

    def busy() -> None:
        tries.append(1)
        if len(tries) < 5:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = code
            raise error

    before("BEGIN IMMEDIATE", busy)
    using(SqliteMemory(tmp_path / "m.sqlite", busy_timeout=30), one)
    assert len(tries) == 6  # and once for the tables
    assert contents_of(tmp_path / "m.sqlite") == {"0:0": [0, 0]}


def test_a_failure_at_the_end_leaves_nothing(before: Any, tmp_path: Path) -> None:
    def full() -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
        raise error

    path = tmp_path / "m.sqlite"
    using(SqliteMemory(path), one)
    before("COMMIT", full)

    async def main(calls: Calls) -> None:
        result = await calls.write(memory(1, key="0:1"), memory(2, key="0:2"))
        assert code(result) == "MEMORY_BACKEND_ERROR"
        assert result.error
        assert result.error.message == "The memory database could not be used (SQLITE_FULL)."
        assert result.error.retryable is False

    using(SqliteMemory(path), main)
    assert contents_of(path) == {"0:0": [0, 0]}


def test_a_file_without_a_write_ahead_log_is_refused(before: Any, tmp_path: Path) -> None:
    class Answer:
        def fetchone(self) -> tuple[str]:
            return ("delete",)

    before("PRAGMA journal_mode", Answer)

    async def main(calls: Calls) -> None:
        assert code(await calls.write(memory(1))) == "MEMORY_BACKEND_ERROR"

    using(SqliteMemory(tmp_path / "m.sqlite"), main)


def test_another_process_may_make_the_tables_first(before: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    others = [sqlite3.connect(path, isolation_level=None, check_same_thread=False)]

    def first() -> None:
        for other in others:
            others.remove(other)
            prepare(other, "memories")
            other.close()

    before("BEGIN IMMEDIATE", first)
    using(SqliteMemory(path), one)
    assert contents_of(path) == {"0:0": [0, 0]}
