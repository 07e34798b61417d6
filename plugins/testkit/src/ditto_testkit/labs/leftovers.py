"""What is open and running in this process: compared before and after, it shows what somebody left behind."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from pathlib import Path

import attrs

from .packs import settle

_POOLS = ("ditto-thread", "asyncio_")
"""Threads that belong to the process: Ditto's own, and those in which asyncio looks up names."""
_TURNS, _PAUSE = 20, 0.01
"""How often it is looked, and how many seconds apart: a thread ends a little later than the call that stopped it."""


def _descriptors() -> Counter[str]:
    """Return what is open by kind, such as ``socket``, where the system tells it."""
    found: Counter[str] = Counter()
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return found
    for name in os.listdir(folder):  # noqa: PTH208 - it is a listing of numbers
        try:
            target = os.readlink(folder / name)  # noqa: PTH115
        except OSError:
            continue  # that of the listing itself
        is_file = target.startswith("/")
        # A file that was replaced while it is open is the same one.
        found[target.removesuffix(" (deleted)") if is_file else target.partition(":")[0]] += 1
    return found


@attrs.frozen(kw_only=True)
class Running:
    """Tasks, threads and descriptors of files and sockets, at one time."""

    tasks: frozenset[asyncio.Task[object]] = attrs.field(factory=lambda: frozenset(asyncio.all_tasks()))
    threads: frozenset[threading.Thread] = attrs.field(factory=lambda: frozenset(threading.enumerate()))
    descriptors: Counter[str] = attrs.field(factory=_descriptors)

    async def left(self) -> list[str]:
        """Return what has come since and is still there, after everything that can end has had the time to end."""
        await settle()
        turns = _TURNS
        while (found := self._more()) and turns:
            turns -= 1
            await asyncio.sleep(_PAUSE)
        for task in asyncio.all_tasks() - self.tasks:
            task.cancel()
        await settle()
        return found

    def _more(self) -> list[str]:
        now = Running()
        tasks = [f"a task in {_coroutine(task)}" for task in now.tasks - self.tasks if not task.done()]
        threads = [
            f"the thread {thread.name!r}"
            for thread in now.threads - self.threads
            if thread.is_alive() and not thread.name.startswith(_POOLS)
        ]
        return [*tasks, *threads, *(f"open: {name}" for name in (now.descriptors - self.descriptors).elements())]


def _coroutine(task: asyncio.Task[object]) -> str:
    return getattr(task.get_coro(), "__qualname__", "?")
