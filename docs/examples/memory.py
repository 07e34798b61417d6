"""Memories on SQLite: a write that is repeated, a batch that is refused as a whole, and what a later start finds."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from ditto_core import Runtime
from ditto_memory import (
    MEMORY_GET,
    MEMORY_WRITE,
    MemoryGet,
    MemoryResult,
    MemoryWrite,
    NewMemory,
    SqliteMemory,
    memory_worker,
)


def show(result: MemoryResult) -> None:
    """Print a result; only one with the status success has an output."""
    if result.output:
        print(result.status, [(item.key, item.content) for item in result.output])
    elif result.error:
        print(result.status, result.error.code, result.error.message)


async def first(file: Path) -> None:
    """Store the input of a task, as often as you like, and then try to make it another one."""
    async with Runtime(workers=[memory_worker(SqliteMemory(file))]) as runtime:
        task = NewMemory(key="task-1:input", content={"order": "A-7", "quantity": 3})
        for _ in range(2):
            show(await runtime.invoke(MEMORY_WRITE, MemoryWrite(memories=(task,))))
        other = NewMemory(key="task-1:input", content={"order": "B-9", "quantity": 3})
        step = NewMemory(key="task-1:observed", content=["ok"])
        show(await runtime.invoke(MEMORY_WRITE, MemoryWrite(memories=(step, other))))


async def later(file: Path) -> None:
    """Find what was stored, and nothing of the batch that was refused."""
    async with Runtime(workers=[memory_worker(SqliteMemory(file))]) as runtime:
        show(await runtime.invoke(MEMORY_GET, MemoryGet(keys=("task-1:observed", "task-1:input"))))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(first(Path(folder, "memory.sqlite")))
        asyncio.run(later(Path(folder, "memory.sqlite")))
