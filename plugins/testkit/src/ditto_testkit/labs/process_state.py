"""What all code of a process shares: where it is, its environment, its handlers; who changes it changes all calls."""

from __future__ import annotations

import locale
import logging
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs

from ..audit import Recording

_EVENTS: Final = {
    "os.chdir": "the working directory",
    "os.fchdir": "the working directory",
    "os.putenv": "the variable {}",
    "os.unsetenv": "the variable {}",
}
_UMASK: Final = re.compile(r"^Umask:\s*([0-7]+)$", re.MULTILINE)


@attrs.frozen(kw_only=True)
class ProcessState:
    """The state of this process; ``parts`` by name, ``variables`` and ``handlers`` of signals one by one."""

    parts: Mapping[str, Any]
    variables: Mapping[str, str]
    handlers: Mapping[signal.Signals, Any]

    def changes(self, after: ProcessState) -> list[str]:
        """Return what is another in `after`, in words; values of variables, which may be secret, are not told."""
        parts = [name for name, value in self.parts.items() if after.parts[name] != value]
        names = sorted(self.variables.keys() | after.variables.keys())
        variables = [name for name in names if self.variables.get(name) != after.variables.get(name)]
        signals = [number.name for number, handler in self.handlers.items() if after.handlers.get(number) != handler]
        return [
            *parts,
            *(f"the variable {name} of the environment" for name in variables),
            *(f"the handler of {name}" for name in signals),
        ]

    def restore(self) -> None:
        """Put this state back, as far as this thread may."""
        now = process_state()
        for name, value in self.parts.items():
            if now.parts[name] != value:
                with suppress(OSError, ValueError, locale.Error):
                    _PARTS[name][1](value)
        for name in now.variables.keys() - self.variables.keys():
            del os.environ[name]
        os.environ.update({name: value for name, value in self.variables.items() if now.variables.get(name) != value})
        for number, handler in self.handlers.items():
            if now.handlers.get(number) != handler and threading.current_thread() is threading.main_thread():
                signal.signal(number, handler)


def process_state() -> ProcessState:
    """Return the state of this process now."""
    numbers = (number for number in signal.valid_signals() if isinstance(number, signal.Signals))
    found = ((number, signal.getsignal(number)) for number in numbers)
    return ProcessState(
        parts={name: read() for name, (read, _) in _PARTS.items()},
        variables=dict(os.environ),
        handlers={number: handler for number, handler in found if handler is not None},
    )


class StateWatch(Recording):
    """Keeps the changes that the interpreter reports, those that are put back at once too."""

    def take(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep an event, if it is about the state of the process."""
        if event in _EVENTS:
            told = arguments[0] if arguments else ""
            name = os.fsdecode(told) if isinstance(told, str | bytes) else ""
            self.changed.append(_EVENTS[event].format(name))


def _directory() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a path as text, to be put back
    except OSError:
        return "(gone)"


def _umask() -> int:
    with suppress(OSError):
        found = _UMASK.search(Path("/proc/self/status").read_text(encoding="ascii", errors="replace"))
        if found:
            return int(found[1], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _set_path(path: list[str]) -> None:
    sys.path[:] = path


def _logging() -> tuple[int, list[logging.Handler]]:
    root = logging.getLogger()
    return root.level, list(root.handlers)


def _set_logging(state: tuple[int, list[logging.Handler]]) -> None:
    root = logging.getLogger()
    root.setLevel(state[0])
    root.handlers[:] = state[1]


def _streams() -> tuple[Any, ...]:
    return sys.stdin, sys.stdout, sys.stderr


def _set_streams(streams: tuple[Any, ...]) -> None:
    sys.stdin, sys.stdout, sys.stderr = streams


_PARTS: Final[dict[str, tuple[Callable[[], Any], Callable[[Any], object]]]] = {
    "the working directory": (_directory, os.chdir),
    "the umask": (_umask, os.umask),
    "the locale": (lambda: locale.setlocale(locale.LC_ALL), lambda name: locale.setlocale(locale.LC_ALL, name)),
    "sys.path": (lambda: list(sys.path), _set_path),
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "the default timeout of sockets": (socket.getdefaulttimeout, socket.setdefaulttimeout),
    "the root logger": (_logging, _set_logging),
    "the standard streams": (_streams, _set_streams),
}
"""By name, how a part of the state is read and how it is put back."""
