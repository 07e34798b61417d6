"""Which processes run on this machine, by a word that only those of one command have."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import attrs


@attrs.frozen(kw_only=True)
class Process:
    """A process: its number, whether it has ended and nobody has reaped it, and its words."""

    pid: int
    ended: bool
    words: str


def processes() -> list[Process]:
    """Return all processes of this machine that can be seen."""
    return list(from_proc()) if Path("/proc/self/cmdline").exists() else list(from_ps())


def running(token: str) -> list[int]:
    """Return the numbers of the processes that have `token` among their words and run."""
    return [one.pid for one in processes() if token in one.words and not one.ended]


def kill(token: str) -> None:
    """Kill the processes that have `token` among their words."""
    for pid in running(token):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def from_proc() -> Iterator[Process]:
    """Read the processes from the file system of Linux."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, IndexError):  # it has ended meanwhile, or belongs to somebody else
            continue
        yield Process(pid=int(folder.name), ended=state in (b"Z", b"X"), words=words)


def from_ps() -> Iterator[Process]:
    """Read the processes from the program that every POSIX system has."""
    command = ["ps", "-A", "-ww", "-o", "pid=,stat=,args="]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():  # noqa: S603
        pid, state, *words = line.split(maxsplit=2)
        yield Process(pid=int(pid), ended=state.startswith("Z"), words="".join(words))
