"""How calls are brought to an end when what runs them closes."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import CloseInsideCall
from .invocation import open_call

if TYPE_CHECKING:
    from .registration import Registration

CLOSE_TIMEOUT = 30.0
"""Seconds that closing lets running calls finish."""
CLOSE_GRACE = 5.0
"""Seconds that interrupted calls get to clean up."""


def check_not_inside(closing: object) -> None:
    """Refuse to close what has to wait for the very call that asks for it."""
    call = open_call()
    while call is not None:
        if not call.closed and closing in (call.runtime, call.registration):
            raise CloseInsideCall(
                f"{type(closing).__name__}.aclose was called from inside one of the calls it has to wait for. "
                "Close it from the application, after the call."
            )
        call = call.parent


async def drain(registrations: Sequence[Registration], timeout: float, grace: float) -> None:
    """Refuse the waiting calls, let the running ones finish, interrupt what is left, and log what will not end."""
    for registration in registrations:
        registration.interrupt(only_waiting=True)
    if await _all_drained(registrations, timeout):
        return
    for registration in registrations:
        registration.interrupt(only_waiting=False)
    if await _all_drained(registrations, grace):
        return
    from ..log import LOG

    for registration in registrations:
        if registration.calls:
            LOG.warning("calls_left_running", worker=registration.address.type, calls=len(registration.calls))


async def _all_drained(registrations: Sequence[Registration], seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            for registration in registrations:
                await registration.drained()
    except TimeoutError:
        return False
    return True


def abandon(registrations: Sequence[Registration], error: BaseException) -> None:
    """Dispose what was registered before a constructor failed; there is no event loop to await anything on."""
    for registration in reversed(registrations):
        if registration.worker.dispose is not None:
            registration.disposed = True
            outcome = registration.worker.dispose(registration.resources)
            if inspect.iscoroutine(outcome):
                outcome.close()
                error.add_note(f"The async dispose of worker {registration.address.type!r} could not be awaited.")
