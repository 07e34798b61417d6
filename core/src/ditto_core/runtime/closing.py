"""How calls are brought to an end when what runs them closes."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ..durations import is_seconds
from ..errors import CloseInsideCall, InvalidValue, RuntimeClosed
from .invocation import open_call

if TYPE_CHECKING:
    from .registration import Registration

R = TypeVar("R")

CLOSE_TIMEOUT = 30.0
"""Seconds that closing lets running calls finish."""
CLOSE_GRACE = 5.0
"""Seconds that interrupted calls get to clean up."""


def check_seconds(*durations: object) -> None:
    """Refuse what is no finite number of seconds from 0 up, before anything is closed."""
    for seconds in durations:
        if not is_seconds(seconds):
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


class OpenRuns:
    """The runs and loops of a runtime that are on their way; between two of their calls they are what is open."""

    def __init__(self) -> None:
        self.interrupted = False
        """Whether closing has run out of patience: no node of a run begins any more."""
        self._count = 0
        self._ended: asyncio.Event | None = None

    def __bool__(self) -> bool:
        return self._count > 0

    async def keep(self, run: Awaitable[R]) -> R:
        """Return what a run gives, and be open until then."""
        self._count += 1
        try:
            return await run
        finally:
            self._count -= 1
            if self._ended is not None and not self._count:
                self._ended.set()

    async def ended(self) -> None:
        """Wait until no run is on its way."""
        if self._count:
            self._ended = self._ended or asyncio.Event()
            self._ended.clear()
            await self._ended.wait()


async def drain(
    registrations: Sequence[Registration], timeout: float, grace: float, runs: OpenRuns | None = None
) -> None:
    """Refuse the waiting calls, let the running ones finish, interrupt what is left, and log what will not end.

    A run that has begun is running: its later nodes begin, and wait for slots, until the interruption.
    """
    runs = OpenRuns() if runs is None else runs
    for registration in registrations:
        registration.interrupt(only_waiting=True)
    if await _all_drained(registrations, runs, timeout):
        return
    runs.interrupted = True
    for registration in registrations:
        registration.interrupt(only_waiting=False)
    if await _all_drained(registrations, runs, grace):
        return
    from ..log import LOG

    for registration in registrations:
        if registration.calls:
            LOG.warning("calls_left_running", worker=registration.address.type, calls=len(registration.calls))


async def _all_drained(registrations: Sequence[Registration], runs: OpenRuns, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            # A call that still runs in one may begin another in one that was empty before.
            while runs or any(registration.calls for registration in registrations):
                await runs.ended()
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


def closed_meanwhile(what: str, error: RuntimeClosed) -> RuntimeClosed:
    """Return the error of a run or loop of which one part has not begun, as `error` says, and another has."""
    made = RuntimeClosed(
        f"The runtime was closed during {what} have: their effect is unknown. Check before a retry.", started=True
    )
    for note in getattr(error, "__notes__", ()):
        made.add_note(note)
    return made
