"""The group of processes that a command is, and its end."""

from __future__ import annotations

import contextlib
import os
import signal


class CommandGroup:
    """The group of a command, by the number of the process that leads it.

    A number is not enough. asyncio reaps a process before it tells that it has ended, long before where the event
    loop is held up, and from then on a new process can get the number. So a descriptor of the process is held, which
    never means another one, where the system has such (Linux).
    """

    def __init__(self, number: int) -> None:
        """Take the number of a process that has just been started."""
        self._number = number
        self._descriptor: int | None = None
        self._is_gone = False
        """Whether the process was reaped before there was a descriptor."""
        try:
            self._descriptor = os.pidfd_open(number)
        except ProcessLookupError:
            self._is_gone = True
        except (AttributeError, OSError):  # another system, an old one, or one without a descriptor left
            pass

    def kill(self, *, ended: bool) -> None:
        """Kill what is left of the group; `ended` says that the process which leads it is known to be reaped.

        A reaped process's number goes to no other before the last of the group has ended (POSIX, Process ID Reuse).
        So where a process has the number again, nobody is left to be killed, and that process may lead a group too.
        """
        if (ended or self._is_reaped()) and _is_taken(self._number):
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._number, signal.SIGKILL)

    def close(self) -> None:
        """Give the descriptor back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _is_reaped(self) -> bool:
        """Tell whether the process is known to be reaped; without a descriptor only the event loop knows."""
        if self._descriptor is None:
            return self._is_gone
        try:
            signal.pidfd_send_signal(self._descriptor, 0)
        except ProcessLookupError:
            return True
        except PermissionError:  # it is there, as another user
            return False
        return False


def _is_taken(number: int) -> bool:
    """Tell whether a process has the number; one that nobody has reaped has it still."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is there, as another user
        return True
    return True
