"""How the tests call the two nodes."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from ditto_core import Runtime
from ditto_memory import (
    MEMORY_GET,
    MEMORY_WRITE,
    MemoryBackend,
    MemoryGet,
    MemoryItem,
    MemoryResult,
    MemoryWrite,
    NewMemory,
    SqliteMemory,
    memory_worker,
)


@attrs.frozen
class Calls:
    """The nodes as functions."""

    runtime: Runtime

    async def get(self, **fields: Any) -> MemoryResult:
        return await self.runtime.invoke(MEMORY_GET, MemoryGet(**fields))

    async def write(self, *memories: NewMemory) -> MemoryResult:
        return await self.runtime.invoke(MEMORY_WRITE, MemoryWrite(memories=memories))


def using(backend: MemoryBackend, work: Callable[[Calls], Awaitable[Any]]) -> Any:
    """Give what the work gives on a runtime with this backend."""

    async def main() -> Any:
        async with Runtime(workers=[memory_worker(backend)]) as runtime:
            return await work(Calls(runtime))

    return asyncio.run(main())


def memory(content: Any = None, **fields: Any) -> NewMemory:
    return NewMemory(content=content, **fields)


def stored(result: MemoryResult) -> list[MemoryItem]:
    """Give the memories of a call that succeeded."""
    assert result.status == "success", result
    return list(result.output or ())


def code(result: MemoryResult) -> str:
    """Give the code of a call that failed."""
    assert result.status == "failed", result
    assert result.error
    return result.error.code


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Give a folder in memory, where there is such a one: what a test does hundreds of times needs no disk."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder)


def contents_of(path: Path) -> dict[str, Any]:
    """Give what a file holds under each key, read as a process that starts now reads it."""

    async def main(calls: Calls) -> dict[str, Any]:
        return {str(item.key): item.content for item in stored(await calls.get(keys=KEYS))}

    return dict(using(SqliteMemory(path), main))


KEYS = tuple(f"{batch}:{number}" for batch in range(200) for number in range(5))
"""The keys of the tests that write batches of five."""
