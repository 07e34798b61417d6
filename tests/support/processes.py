"""What a process holds: children, descriptors, threads and tasks, counted before and after."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path

import attrs


@attrs.frozen
class Footprint:
    """What a process may leave behind; zombies are children too."""

    descriptors: tuple[str, ...]
    children: frozenset[int]
    watchers: int
    tasks: int


def footprint() -> Footprint:
    """Return what this process holds now. The threads of Ditto's pools stay by design and are not counted."""
    gc.collect()
    return Footprint(
        descriptors=tuple(sorted(filter(None, map(_opened, Path("/proc/self/fd").iterdir())))),
        children=children(),
        # The threads in which asyncio waits for children (Python 3.11).
        watchers=sum(thread.name.startswith("asyncio-waitpid") for thread in threading.enumerate()),
        tasks=len(asyncio.all_tasks()),
    )


def _opened(link: Path) -> str:
    """Return a descriptor and the kind of thing behind it; nothing for the one that looks."""
    try:
        return f"{link.name} {link.readlink().name.partition(':')[0]}"
    except FileNotFoundError:
        return ""


def children() -> frozenset[int]:
    """Return the children of this process, whichever thread has started them."""
    parents = {int(path.name): _parent(path) for path in Path("/proc").iterdir() if path.name.isdigit()}
    return frozenset(pid for pid, parent in parents.items() if parent == os.getpid())


def _parent(process: Path) -> int | None:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


def lives(pid: int) -> bool:
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Give way to the event loop until the condition holds; for what the kernel does and no event tells."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0)


async def gone(*pids: int) -> None:
    """Wait until the processes have ended; a killed one needs a moment of the kernel's."""
    await until(lambda: not any(map(lives, pids)))
