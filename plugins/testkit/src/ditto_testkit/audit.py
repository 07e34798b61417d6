"""Which files, sockets and processes Python code asks for, as the interpreter itself reports it.

The hook is installed once, when it is first needed, because none can be removed; it does nothing unless a recording
is on. It sees all threads of this process and nothing of its children. What happens :func:`apart` is not recorded.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import attrs

_LOOKUP = frozenset(
    {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"},
)
_SOCKET = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"})
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
_CHANGE = {
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.chflags": (0,),
    "os.utime": (0,),
    "os.setxattr": (0,),
    "os.removexattr": (0,),
    "shutil.rmtree": (0,),
}
"""By event, which of its arguments name what changes."""
_LIST = frozenset({"os.listdir", "os.scandir"})


@attrs.define(eq=False)
class Recording:
    """What was asked for: event and argument, in order."""

    sockets: list[str] = attrs.field(factory=list)
    processes: list[str] = attrs.field(factory=list)
    opened: list[str] = attrs.field(factory=list)
    """The paths of files that were opened, whatever for."""
    listed: list[str] = attrs.field(factory=list)
    """The paths of folders whose names were asked for."""
    changed: list[str] = attrs.field(factory=list)
    """The paths of files that were opened for writing, made, moved or removed."""

    def take(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep an event of the interpreter, if it is about an effect."""
        if event in _LOOKUP or (event in _SOCKET and not _is_local(arguments)):
            self.sockets.append(event)
        elif event in _PROCESS:
            self.processes.append(f"{event} {_text(arguments)}".strip())
        elif event in _CHANGE:
            self.changed += [_text(arguments, index) for index in _CHANGE[event]]
        elif event in _LIST:
            if path := _text(arguments):
                self.listed.append(path)
        elif event == "open":
            path = _text(arguments)
            if path:
                self.opened.append(path)
                if _writes(arguments):
                    self.changed.append(path)


def _text(arguments: tuple[Any, ...], index: int = 0) -> str:
    """Return an argument if it is a path or a program; a descriptor is none."""
    value = arguments[index] if index < len(arguments) else ""
    return os.fsdecode(value) if isinstance(value, str | bytes | os.PathLike) else ""


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
_apart: ContextVar[bool] = ContextVar("ditto_testkit_apart", default=False)


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _active and not _apart.get():
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


@contextmanager
def apart() -> Iterator[None]:
    """Record nothing of what this context asks for while the block runs: an application's executor is no tool."""
    token = _apart.set(True)
    try:
        yield
    finally:
        _apart.reset(token)
