"""How calls are brought to an end when what runs them closes."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from ..errors import CloseInsideCall, InvalidValue
from .invocation import open_call

if TYPE_CHECKING:
    from .registration import Registration

CLOSE_TIMEOUT = 30.0
"""Seconds that closing lets running calls finish."""
CLOSE_GRACE = 5.0
"""Seconds that interrupted calls get to clean up."""


def check_seconds(*durations: object) -> None:
    """Refuse what is no finite number of seconds from 0 up, before anything is closed."""
    for seconds in durations:
        if type(seconds) not in (int, float) or not isfinite(seconds) or seconds < 0:  # type: ignore[arg-type, operator]
            raise InvalidValue("aclose", "takes timeout and grace as finite numbers of seconds from 0 up")


def check_not_inside(closing: object, *tasks: asyncio.Task[None] | None) -> None:
    """Refuse to close what has to wait for the very call, or the very disposal, that asks for it."""
    call = open_call()
    inside = asyncio.current_task() in tasks
    while call is not None and not inside:
        inside = not call.closed and closing in (call.runtime, call.registration)
        call = call.parent
    if inside:
        raise CloseInsideCall(
            f"{type(closing).__name__}.aclose was called from inside a call or a disposal that it has to wait for. "
            "Close it from the application, afterwards."
        )


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
            # A call that still runs in one may begin another in one that was empty before.
            while any(registration.calls for registration in registrations):
                for registration in registrations:
                    await registration.drained()
    except TimeoutError:
        return False
    return True


def abandon(registrations: Sequence[Registration], error: BaseException) -> None:
    """Dispose what was registered before a constructor failed; there is no event loop to await anything on."""
    for registration in reversed(registrations):
        name = registration.address.type
        if registration.worker.dispose is None:
            continue
        try:
            outcome = registration.worker.dispose(registration.resources)
        except Exception as raised:
            error.add_note(f"The dispose of worker {name!r} raised {type(raised).__name__}.")
            continue
        if inspect.iscoroutine(outcome):
            outcome.close()
            error.add_note(f"The async dispose of worker {name!r} could not be awaited.")
