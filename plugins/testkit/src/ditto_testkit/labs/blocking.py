"""What Python code does that blocks the thread it runs in, as the interpreter itself reports it."""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

_LOOKUPS: Final = frozenset(
    {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}
)
_SENDS: Final = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})

_active: list[tuple[int, list[str]]] = []
_installed: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _active or not _blocks(event, arguments):
        return
    thread = threading.get_ident()
    for number, seen in tuple(_active):
        if number == thread:
            seen.append(event)


def _blocks(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "time.sleep":
        return bool(arguments[0] > 0)
    if event in _SENDS:
        made = arguments[0]
        return isinstance(made, socket.socket) and made.gettimeout() != 0
    return event in _LOOKUPS or event == "os.system"


@contextmanager
def blocking_calls() -> Iterator[list[str]]:
    """Collect what blocks this thread while the block runs.

    The hook is installed once, because none can be removed, and does nothing outside of such a block.
    """
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(True)
    entry = (threading.get_ident(), list[str]())
    _active.append(entry)
    try:
        with nullcontext() if sys.version_info >= (3, 13) else _reported_sleep():
            yield entry[1]
    finally:
        _active.remove(entry)


@contextmanager
def _reported_sleep() -> Iterator[None]:
    """Report ``time.sleep``, as the interpreter itself does from 3.13 on, wherever it is called by that name."""
    before = time.sleep

    def sleep(seconds: Any) -> None:
        _hook("time.sleep", (seconds,))
        before(seconds)

    time.sleep = sleep
    try:
        yield
    finally:
        time.sleep = before
