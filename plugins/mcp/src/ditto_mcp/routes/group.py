"""The group of processes that a server is, and its end."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal

_open: set[ServerGroup] = set()


class ServerGroup:
    """The group of a server, by the number of the process that leads it, which is a child of this process."""

    def __init__(self, number: int) -> None:
        """Take the number of a process that has just been started in a session of its own."""
        self._number = number
        _open.add(self)

    def send(self, number: int) -> None:
        """Send a signal to what there is of the group.

        A child that nobody has reaped keeps its number. Once it is reaped, the number goes to no other process before
        the last of the group has ended; where a process has it again, nobody is left to be signalled.
        """
        try:
            os.waitid(os.P_PID, self._number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            if _is_taken(self._number):
                return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._number, number)

    def close(self) -> None:
        """Forget the group, which has been seen to end."""
        _open.discard(self)


def _is_taken(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is there, as another user
        return True
    return True


@atexit.register
def _kill_all() -> None:
    """End the servers of event loops that were dropped with everything in them."""
    for group in tuple(_open):
        group.send(signal.SIGKILL)
