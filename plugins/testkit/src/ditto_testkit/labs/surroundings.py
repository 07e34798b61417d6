"""What a process inherits unless somebody takes care: the standard input and the environment; and what it costs."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

USUAL = frozenset(
    {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "PWD", "SHELL", "SHLVL", "TERM", "TZ", "USER"}
)
"""Variables that an executor may well set itself, to the same values."""


@contextmanager
def standard_input(content: bytes = b"for the application") -> Iterator[None]:
    """Give this process a standard input that holds `content` and does not end, whatever it has otherwise.

    Test runners replace ``sys.stdin`` and the descriptor 0 by the null device, so that whoever inherits it would get
    what a program should get.
    """
    try:
        before = os.dup(0)
    except OSError:  # it is closed
        before = None
    reading, writing = os.pipe()
    try:
        os.write(writing, content)
        if reading:
            os.dup2(reading, 0)
        else:  # the closed one has become this
            os.set_inheritable(reading, True)  # noqa: FBT003 - it has no name
        yield
    finally:
        os.close(writing)
        if reading:
            os.close(reading)
        if before is None:
            os.close(0)
        else:
            os.dup2(before, 0)
            os.close(before)


@contextmanager
def variables(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables of this process's environment while the block runs."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def copied_from(given: Mapping[str, str], environment: Mapping[str, str]) -> list[str]:
    """Return the variables that `given` shares with the environment, if they are so many that it is a copy.

    It may have been made before a canary was set. One or two variables may have the same values by chance.
    """
    own = {name: value for name, value in environment.items() if name not in USUAL}
    same = sorted(name for name, value in own.items() if given.get(name) == value)
    return same if len(same) >= max(3, len(own) // 2) else []


@contextmanager
def memory() -> Iterator[list[int]]:
    """Measure how many bytes Python takes while the block runs, at its most; they are in the list afterwards."""
    used: list[int] = []
    mine = not tracemalloc.is_tracing()
    if mine:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        yield used
        used.append(tracemalloc.get_traced_memory()[1] - before)
    finally:
        if mine:
            tracemalloc.stop()
