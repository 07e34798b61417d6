"""Several processes on one file, and processes that are killed between writes, during them and right after."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ditto_memory import SqliteMemory
from tests.plugins.memory.calling import KEYS, Calls, contents_of, memory, stored, using

pytestmark = pytest.mark.once

WRITER = """
import asyncio, os, signal, sqlite3, sys
from functools import partial
from ditto_core import Runtime
from ditto_memory import *

async def main(path, first, last):
    async with Runtime(workers=[memory_worker(SqliteMemory(path, busy_timeout=60))]) as runtime:
        for batch in range(int(first), int(last)):
            if sys.argv[4:] == ["asking"]:
                sys.stdin.readline()
            memories = tuple(NewMemory(key=f"{batch}:{number}", content=[batch, number]) for number in range(5))
            result = await runtime.invoke(MEMORY_WRITE, MemoryWrite(memories=memories))
            assert result.status == "success", result
            print(batch, flush=True)
"""
RUN = "asyncio.run(main(*sys.argv[1:4]))\n"
DYING = """
class Dying(sqlite3.Connection):
    seen = 0
    def execute(self, statement, *values):
        if statement.startswith(sys.argv[4]):
            Dying.seen += 1
            if Dying.seen == int(sys.argv[5]):
                if sys.argv[6] == "after":
                    super().execute(statement, *values)
                os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(statement, *values)

sqlite3.connect = partial(sqlite3.connect, factory=Dying)
"""


def start(script: str, *arguments: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_many_processes_begin_one_file_and_lose_nothing(tmp_path: Path) -> None:
    """Two pairs write the same batches: the second of each pair finds them there."""
    path = tmp_path / "m.sqlite"
    writers = [start(WRITER + RUN, path, first, first + 10) for first in (0, 0, 10, 10)]
    assert [writer.communicate(timeout=100)[0].count("\n") for writer in writers] == [10] * 4
    assert [writer.returncode for writer in writers] == [0] * 4
    assert contents_of(path) == {f"{b}:{n}": [b, n] for b in range(20) for n in range(5)}


def test_processes_that_are_killed_leave_whole_batches_and_all_that_they_reported(tmp_path: Path) -> None:
    """Two at a time write as many batches as they are told to, and are killed when they may write the last one."""
    path = tmp_path / "m.sqlite"
    reported: set[int] = set()
    for first in (0, 50):
        writers = [start(WRITER + RUN, path, first + 25 * n, first + 25 * n + 25, "asking") for n in range(2)]
        batches = [random.randint(1, 6) for _ in writers]
        for writer, number in zip(writers, batches, strict=True):
            tell(writer, number)
        for writer, number in zip(writers, batches, strict=True):
            assert writer.stdout
            reported |= {int(writer.stdout.readline()) for _ in range(number)}
        for writer in writers:
            tell(writer, 1)
            writer.kill()
        for writer in writers:
            rest, _ = writer.communicate(timeout=60)
            reported |= {int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")}
            assert writer.returncode == -signal.SIGKILL
    found = contents_of(path)
    whole = {int(key.partition(":")[0]) for key in found}
    assert reported <= whole
    assert found == {f"{b}:{n}": [b, n] for b in whole for n in range(5)}


def tell(writer: subprocess.Popen[str], batches: int) -> None:
    """Let a writer write so many more batches."""
    assert writer.stdin
    writer.stdin.write("\n" * batches)
    writer.stdin.flush()


@pytest.mark.parametrize(
    ("statement", "time", "moment", "kept"),
    [
        ("PRAGMA journal_mode", 1, "after", False),
        ("CREATE TABLE IF NOT EXISTS memories", 1, "after", False),
        ("COMMIT", 1, "before", False),  # of the tables
        ("COMMIT", 1, "after", False),
        ("BEGIN IMMEDIATE", 2, "after", False),  # of the batch
        ("INSERT INTO memories", 3, "after", False),
        ("COMMIT", 2, "before", False),
        ("COMMIT", 2, "after", True),
    ],
)
def test_a_process_that_is_killed_in_a_write_leaves_all_or_nothing(
    tmp_path: Path, statement: str, time: int, moment: str, kept: Any
) -> None:
    path = tmp_path / "m.sqlite"
    dying = start(WRITER + DYING + RUN, path, 0, 1, statement, time, moment)
    assert dying.communicate(timeout=60)[0] == ""
    assert dying.returncode == -signal.SIGKILL
    whole = {f"0:{n}": [0, n] for n in range(5)}
    assert contents_of(path) == (whole if kept else {})

    async def again(calls: Calls) -> list[Any]:
        batch = [memory([0, n], key=f"0:{n}") for n in range(5)]
        return stored(await calls.write(*batch))

    first = using(SqliteMemory(path), again)
    assert using(SqliteMemory(path), again) == first
    assert contents_of(path) == whole
    assert set(whole) <= set(KEYS)
