"""What a process has at the moment: its children, zombies too, its threads and its open descriptors."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import attrs

_POOLED: Final = ("ditto-thread", "ditto-testkit", "asyncio_", "AnyIO worker")
"""How the threads of pools are called that belong to nobody's call: the runtime's, the kit's, the event loop's."""
_HAS_PROC: Final = Path("/proc/self/task").exists()
_JOIN: Final = 0.2
"""How many seconds are given to each thread that may be about to end."""
_BEGUN: Final = 18
"""Where, behind the state of a process, its begin stands in ``/proc``: field 22 of all."""
_TURN, _TURNS = 0.01, 20


Child: TypeAlias = tuple[int, str]
"""The id of a child process and when it began: an id may be used again."""


@attrs.frozen(kw_only=True)
class Belongings:
    """Children with their names, threads, and descriptors with what they lead to."""

    children: dict[Child, str]
    threads: frozenset[threading.Thread]
    descriptors: dict[int, str]

    def more_than(self, other: Belongings) -> list[str]:
        """Return what is here and was not there, in words."""
        children = [f"process {name}" for child, name in self.children.items() if child not in other.children]
        threads = [f"thread {thread.name!r}" for thread in self.threads - other.threads]
        opened = [f"open {text}" for number, text in self.descriptors.items() if number not in other.descriptors]
        return sorted([*children, *threads, *opened])


def belongings() -> Belongings:
    """Return what this process has; where the system has no ``/proc``, only its threads and descriptors."""
    here = threading.current_thread()
    threads = (one for one in threading.enumerate() if one is not here and not one.name.startswith(_POOLED))
    return Belongings(children=identified(child_ids()), threads=frozenset(threads), descriptors=_descriptors())


def settled(before: Belongings) -> Belongings:
    """Return what this process has once threads that are about to end have, and what nobody holds is collected."""
    found = belongings()
    if found.more_than(before):
        gc.collect()
        for thread in found.threads - before.threads:
            with suppress(RuntimeError):  # a thread of a call that was cancelled is just being started
                thread.join(_JOIN)
        found = belongings()
    for _ in range(_TURNS):  # a thread of the runtime may still be at a file of a call that was cancelled
        if not found.more_than(before):
            break
        time.sleep(_TURN)
        found = belongings()
    return found


def child_ids() -> set[int]:
    """Return the ids of the children of this process; none where the system has no ``/proc``."""
    found: set[int] = set()
    for thread in os.listdir("/proc/self/task") if _HAS_PROC else ():  # noqa: PTH208 - there may be hundreds
        try:
            with open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:  # noqa: PTH123 - as above
                found.update(map(int, file.read().split()))
        except OSError:
            continue  # the thread has ended
    return found


def identified(pids: Iterable[int]) -> dict[Child, str]:
    """Return these children with their names."""
    return dict(map(_process, pids))


def _process(pid: int) -> tuple[Child, str]:
    try:
        name, _, rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
    except OSError:
        return (pid, ""), "(ended)"
    state, *numbers = rest.split()
    return (pid, numbers[_BEGUN]), f"{name.partition('(')[2]}{', a zombie' if state == 'Z' else ''}"


def _descriptors() -> dict[int, str]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            names = os.listdir(folder)  # noqa: PTH208 - its own descriptor is among them, and gone by the next line
        except OSError:
            continue
        return {int(name): text for name in names if (text := _target(folder, name))}
    return {}


def _target(folder: str, name: str) -> str:
    try:
        return os.readlink(f"{folder}/{name}")  # noqa: PTH115 - a plugin that leaks has thousands, looked at each time
    except OSError:
        return "" if folder.startswith("/proc") else "a descriptor"
