"""Which files, sockets and processes Python code asks for, as the interpreter itself reports it.

The hook is installed once, when it is first needed, because none can be removed; it does nothing unless a recording
is on. It sees all threads of this process and nothing of its children.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import attrs

_SOCKET = frozenset(
    {
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.sendto",
        "socket.sendmsg",
        "socket.bind",
    }
)
_PROCESS = frozenset(
    {
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.fork",
        "os.forkpty",
        "os.startfile",
        "pty.spawn",
    }
)
_CHANGE = frozenset(
    {
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.mkdir",
        "os.link",
        "os.symlink",
        "os.truncate",
        "os.chmod",
        "os.chown",
        "os.utime",
        "shutil.rmtree",
        "shutil.move",
        "shutil.copyfile",
    }
)


@attrs.define(eq=False)
class Recording:
    """What was asked for: event and first argument, in order."""

    sockets: list[str] = attrs.field(factory=list)
    processes: list[str] = attrs.field(factory=list)
    opened: list[str] = attrs.field(factory=list)
    """The paths of files that were opened, whatever for."""
    changed: list[str] = attrs.field(factory=list)
    """The paths of files that were opened for writing, made, moved or removed."""

    def take(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep an event of the interpreter, if it is about an effect."""
        if event in _SOCKET:
            if not _is_local(arguments):
                self.sockets.append(event)
        elif event in _PROCESS:
            self.processes.append(f"{event} {_first(arguments)}".strip())
        elif event in _CHANGE:
            self.changed.append(_first(arguments))
        elif event == "open":
            path = _first(arguments)
            if path:
                self.opened.append(path)
                if _writes(arguments):
                    self.changed.append(path)


def _first(arguments: tuple[Any, ...]) -> str:
    first = arguments[0] if arguments else ""
    return os.fsdecode(first) if isinstance(first, str | bytes | os.PathLike) else ""


def _writes(arguments: tuple[Any, ...]) -> bool:
    flags = arguments[2] if len(arguments) > 2 and type(arguments[2]) is int else 0
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND))


def _is_local(arguments: tuple[Any, ...]) -> bool:
    """Tell a socket of the file system from one of the network."""
    address = arguments[1] if len(arguments) > 1 else None
    return isinstance(address, str | bytes)  # the address of an AF_UNIX socket is a path


_lock = threading.Lock()
_active: list[Recording] = []
_installed: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _active:
        for recording in tuple(_active):
            recording.take(event, arguments)


@contextmanager
def recording(kept: Recording | None = None) -> Iterator[Recording]:
    """Record what this process asks for while the block runs, in `kept` if it is given."""
    with _lock:
        if not _installed:
            sys.addaudithook(_hook)
            _installed.append(True)
    made = kept or Recording()
    _active.append(made)
    try:
        yield made
    finally:
        _active.remove(made)
