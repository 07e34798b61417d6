"""The end that a caller's ``timeout=`` puts to its call, run or loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from ..errors import CallTimeout

R = TypeVar("R")


async def until(deadline: float | None, work: Awaitable[R], expired: Callable[[], CallTimeout]) -> R:
    """Return what `work` gives, or raise `expired()` when it was cut off at `deadline`, in the event loop's time.

    Without a deadline it is never cut off. A :class:`TimeoutError` of something inside passes unchanged.
    """
    limit = asyncio.timeout_at(deadline)
    try:
        async with limit:
            return await work
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise expired() from error.__cause__


def timed_out(what: str, timeout: Any, *, started: bool) -> CallTimeout:
    """Return the error that says whether something may have happened."""
    if started:
        fate = "it had begun, so its effect is uncertain. Check before a retry"
    else:
        fate = "it was still waiting for a slot, so nothing has run"
    return CallTimeout(f"{what} did not end within {timeout:g} s; {fate}.", started=started)
