"""How the command ends: the status that a shell or a script sees."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit statuses of ``ditto``. Documented, and the same for all commands."""

    SUCCESS = 0
    """The result's status is ``success``, or the command did what it was asked for."""
    FAILED = 1
    """The result's status is ``failed``, a tool raised, or a check found something."""
    USAGE = 2
    """The command line cannot be understood. Nothing has run."""
    REFUSED = 3
    """Something is missing, broken or not permitted. Nothing has run."""
    UNCERTAIN = 4
    """The status is ``timeout`` or ``unknown``, or the answer cannot be used: the effect may have happened."""
    CANCELLED = 5
    """The result's status is ``cancelled``."""
    INTERRUPTED = 130
    """Ctrl-C: the call was cancelled, as for any program that SIGINT ends."""


def of_status(status: str) -> Exit:
    """Return the exit status for the status of a result."""
    return {"success": Exit.SUCCESS, "failed": Exit.FAILED, "cancelled": Exit.CANCELLED}.get(status, Exit.UNCERTAIN)
