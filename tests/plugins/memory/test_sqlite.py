"""A SQLite file in trouble: locked, changed by others, corrupt, gone, too large; and calls that are given up."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ditto_core import InvalidValue, Runtime
from ditto_memory import MEMORY_WRITE, MemoryWrite, SqliteMemory, memory_worker
from tests.plugins.memory.calling import Calls, code, memory, stored, using
from tests.support.processes import until


def sql(path: Path, *statements: str) -> list[Any]:
    """Run statements as somebody else does, and give what the last one finds."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        rows: list[Any] = []
        for statement in statements:
            rows = db.execute(statement).fetchall()
        return rows


def begun(path: Path) -> None:
    """Make a file with one memory."""
    using(SqliteMemory(path), lambda calls: calls.write(memory(1, key="k")))


def test_the_file_keeps_a_write_ahead_log_and_what_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)
    assert sql(path, "PRAGMA journal_mode") == [("wal",)]
    assert sql(path, "SELECT memory_key, content, metadata FROM memories") == [("k", "1", None)]
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]
    assert [found.name for found in tmp_path.iterdir()] == ["m.sqlite"]


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)

    async def main(calls: Calls) -> None:
        with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            write = asyncio.create_task(calls.write(memory(2, key="l")))
            await asyncio.sleep(0)
            assert len(stored(await SeparateReader(path).read())) == 1  # readers wait for no writer
            other.execute("COMMIT")
            assert len(stored(await write)) == 1

    using(SqliteMemory(path, busy_timeout=30), main)


class SeparateReader:
    """Reads through a runtime of its own, so that it waits for no slot."""

    def __init__(self, path: Path) -> None:
        self._worker = memory_worker(SqliteMemory(path, busy_timeout=0))

    async def read(self) -> Any:
        async with Runtime(workers=[self._worker]) as runtime:
            return await runtime.invoke("MEMORY.GET", {"keys": ["k"]})


def test_a_lock_that_stays_fails_the_call_which_may_be_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)

    async def main(calls: Calls) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            result = await calls.write(memory(2, key="l"))
            assert code(result) == "MEMORY_BACKEND_ERROR"
            assert result.error
            assert result.error.retryable is True
            assert "SQLITE_BUSY" in result.error.message
            other.execute("ROLLBACK")
        stored(await calls.write(memory(2, key="l")))

    using(SqliteMemory(path, busy_timeout=0.02), main)


@pytest.mark.parametrize("reopened", [True, False])
def test_a_table_that_was_taken_away_is_not_made_anew(tmp_path: Path, reopened: Any) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)
    backend = SqliteMemory(path)

    async def works(calls: Calls) -> None:
        assert len(stored(await calls.get(keys=("k",)))) == 1

    async def fails(calls: Calls) -> None:
        assert code(await calls.get(keys=("k",))) == "MEMORY_BACKEND_ERROR"
        assert code(await calls.write(memory(2, key="l"))) == "MEMORY_BACKEND_ERROR"

    using(backend, works)
    sql(path, "ALTER TABLE memories RENAME TO elsewhere")
    using(SqliteMemory(path) if reopened else backend, fails)
    sql(path, "ALTER TABLE elsewhere RENAME TO memories")
    using(backend, works)


def test_a_file_that_was_removed_is_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"

    async def main(calls: Calls) -> None:
        stored(await calls.write(memory(1, key="k")))
        path.unlink()
        assert code(await calls.get(keys=("k",))) == "MEMORY_BACKEND_ERROR"

    using(SqliteMemory(path), main)


def test_a_table_of_the_same_layout_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    columns = "(id TEXT PRIMARY KEY, memory_key TEXT UNIQUE, content TEXT NOT NULL, metadata TEXT)"
    sql(path, f"CREATE TABLE memories {columns}", """INSERT INTO memories VALUES ('i', 'k', '{"a":[1]}', '{}')""")

    async def main(calls: Calls) -> None:
        (item,) = stored(await calls.get(keys=("k",)))
        assert (item.id, item.content, item.metadata) == ("i", {"a": [1]}, {})

    using(SqliteMemory(path), main)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)
    sql(path, "UPDATE ditto_memory_tables SET version = 2")

    async def main(calls: Calls) -> None:
        result = await calls.get(keys=("k",))
        assert code(result) == "MEMORY_BACKEND_ERROR"
        assert result.error
        assert "another version" in result.error.message

    using(SqliteMemory(path), main)


@pytest.mark.parametrize("content", ["{", "NaN", '{"a":1,"a":2}', "[" * 100_000, '"\\ud800"', ""])
def test_a_row_that_is_no_memory_fails_the_call(tmp_path: Path, content: str) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE memories SET content = ?", (content,))

    async def main(calls: Calls) -> None:
        assert code(await calls.get(keys=("k",))) == "INVALID_BACKEND_OUTPUT"

    using(SqliteMemory(path), main)


@pytest.mark.parametrize("column", ["content", "metadata"])
def test_a_row_of_bytes_fails_the_call(tmp_path: Path, column: str) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)
    sql(path, f"UPDATE memories SET {column} = x'ff00'")

    async def main(calls: Calls) -> None:
        assert code(await calls.get(keys=("k",))) == "INVALID_BACKEND_OUTPUT"

    using(SqliteMemory(path), main)


def test_a_file_that_is_no_database_or_cannot_be_made_fails_the_call(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database " * 100)
    for path in (text, tmp_path / "missing" / "m.sqlite", tmp_path):

        async def main(calls: Calls, path: Path = path) -> None:
            for result in (await calls.get(keys=("k",)), await calls.write(memory(1))):
                assert code(result) == "MEMORY_BACKEND_ERROR"
                assert result.error
                assert str(tmp_path) not in result.error.message

        using(SqliteMemory(path), main)
    assert text.read_text() == "no database " * 100


def test_a_memory_and_a_batch_are_bounded(tmp_path: Path) -> None:
    async def main(calls: Calls) -> None:
        most = 1_048_576 - 2  # the quotes count
        stored(await calls.write(memory("x" * most, key="most")))
        for large in (memory("x" * (most + 1)), memory("é" * most), memory("x" * most, metadata={})):
            assert code(await calls.write(memory(1, key="other"), large)) == "LIMIT_EXCEEDED"
        batch = [memory("x" * most, key=f"{n}") for n in range(17)]
        assert code(await calls.write(*batch)) == "LIMIT_EXCEEDED"
        stored(await calls.write(*batch[:16]))
        names = ("most", *(f"{n}" for n in range(16)))
        assert code(await calls.get(keys=names)) == "LIMIT_EXCEEDED"
        assert len(stored(await calls.get(keys=names[:16]))) == 16
        assert stored(await calls.get(keys=("other",))) == []

    using(SqliteMemory(tmp_path / "m.sqlite"), main)


def test_a_relative_path_means_the_folder_in_which_it_was_given(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    backend = SqliteMemory("m.sqlite")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    using(backend, lambda calls: calls.write(memory(1)))
    assert (tmp_path / "m.sqlite").is_file()


def test_a_call_that_is_given_up_frees_the_caller_and_is_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)

    async def main(calls: Calls) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            write = asyncio.create_task(calls.write(memory(1, key="a"), memory(2, key="b")))
            await until(lambda: bool(threads()))
            write.cancel()
            with pytest.raises(asyncio.CancelledError):
                await write
            other.execute("COMMIT")
        again = stored(await calls.write(memory(1, key="a"), memory(2, key="b")))  # which harms in no case
        assert stored(await calls.get(keys=("a", "b"))) == again

    using(SqliteMemory(path, busy_timeout=30), main)


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "ditto-thread"]


def test_the_event_loop_goes_on_while_a_lock_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    begun(path)

    async def main() -> None:
        async with Runtime(workers=[memory_worker(SqliteMemory(path, busy_timeout=30))]) as runtime:
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                write = asyncio.create_task(runtime.invoke(MEMORY_WRITE, MemoryWrite(memories=(memory(2, key="l"),))))
                for _ in range(100):
                    await asyncio.sleep(0)
                assert not write.done()
                other.execute("ROLLBACK")
                stored(await write)

    asyncio.run(main())


@pytest.mark.parametrize(
    "wrong",
    [
        {"path": ":memory:"},
        {"path": ""},
        {"path": " "},
        {"path": "a\0b"},
        {"path": b"a"},
        {"path": 1},
        {"path": "a", "table": "Memories"},
        {"path": "a", "table": "a; DROP TABLE b"},
        {"path": "a", "table": "sqlite_x"},
        {"path": "a", "table": "ditto_memory_tables"},
        {"path": "a", "table": 1},
        {"path": "a", "busy_timeout": -1},
        {"path": "a", "busy_timeout": True},
        {"path": "a", "busy_timeout": float("nan")},
        {"path": "a", "busy_timeout": 3_601},
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        SqliteMemory(**wrong)
