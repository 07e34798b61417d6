"""Commands: one that prints a gigabyte of which 64 KiB are kept, and one that prints a line."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from ditto_commands import CommandTools
from ditto_core import Sandbox, ToolCall, ToolContext, ToolRegistry
from ditto_local import LocalExecutor

from .harness import FLOOR, Effort, Row, Work, in_turns, row

KEPT: Final = 65_536
MAX_GROWTH: Final = 1_048_576
"""How many bytes the peak of memory may grow by."""
PIPE, DEVNULL = subprocess.PIPE, subprocess.DEVNULL


@contextmanager
def workspace() -> Iterator[Path]:
    """Give a folder with a file of one line and one of a gigabyte, which takes no room."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "small").write_text("one line\n")
        Path(folder, "large").touch()
        os.truncate(Path(folder, "large"), 10**9)
        yield Path(folder)


def cat(folder: Path, name: str) -> Work:
    """Return calls of the tool ``cat`` through a registry and the local executor."""
    registry = ToolRegistry()
    registry.register_all(CommandTools().ditto_tools())
    sandbox = Sandbox(folder, tools=["cat"], execute=True, executor=LocalExecutor(["cat"]))
    context = ToolContext(sandbox=sandbox)

    async def work(times: int) -> None:
        for _ in range(times):
            await registry.call(ToolCall(id="call-1", name="cat", arguments={"path": name}), context)

    return work


async def flood(effort: Effort) -> list[Row]:
    """Measure a command that is cut off, beside streams of asyncio that stop at the same size."""
    with workspace() as folder:

        async def by_hand(times: int) -> None:
            for _ in range(times):
                await stopped_at_the_cap(folder)

        case = "a command that prints 1 GB, 64 KiB kept"
        samples = await in_turns({FLOOR: by_hand, case: cat(folder, "large")}, effort)
    return [row(samples, case, floor="asyncio's streams, read up to 64 KiB, kill()", budget=2, goal=1.4)]


async def one_small_call(effort: Effort) -> list[Row]:
    """Measure a command that prints a line, beside the event loop's own way to start a process."""
    with workspace() as folder:

        async def by_hand(times: int) -> None:
            for _ in range(times):
                await collected(folder)

        case = "one small command"
        samples = await in_turns({FLOOR: by_hand, case: cat(folder, "small")}, effort)
    return [row(samples, case, floor="loop.subprocess_exec, output collected", budget=1.5, goal=1.3)]


async def stopped_at_the_cap(folder: Path) -> bytes:
    """Read a process up to the cap, kill it, and read what is left, without which asyncio would wait for ever."""
    process = await asyncio.create_subprocess_exec(
        "cat", "large", cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
    )
    output = cast("asyncio.StreamReader", process.stdout)
    kept = await output.readexactly(KEPT)
    process.kill()
    while await output.read(KEPT):
        pass
    await process.wait()
    return kept


async def collected(folder: Path) -> bytes:
    """Run a small process to its end and return its output."""
    transport, protocol = await asyncio.get_running_loop().subprocess_exec(
        Collecting, "cat", "small", cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    await protocol.ended
    transport.close()
    return bytes(protocol.output)


class Collecting(asyncio.SubprocessProtocol):
    """Keeps everything."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.ended = asyncio.get_running_loop().create_future()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep it."""
        self.output += data

    def connection_lost(self, exc: Exception | None) -> None:
        """Know that the process has ended and its pipes are closed."""
        self.ended.set_result(None)


def growth() -> int:
    """Return how many bytes the peak of memory grows by a command that prints 1 GB, after one that prints a line."""
    words = [sys.executable, "-m", "tests.benchmarks.commands"]
    return int(subprocess.run(words, stdout=PIPE, check=True, text=True).stdout)


def _peak() -> int:
    """Return the peak of this process in bytes; not from getrusage, which knows that of the parent as well."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) * 1024 if found else 0


async def _grown() -> int:
    with workspace() as folder:
        await cat(folder, "small")(3)
        before = _peak()
        await cat(folder, "large")(1)
        return _peak() - before


if __name__ == "__main__":
    print(asyncio.run(_grown()))
