"""One request to a client, and what may come of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from ..errors import DittoError, InvalidValue

R = TypeVar("R")

_MAX_NAMED = 5
"""How many of the exceptions in a group a message names."""


async def ask(request: Awaitable[R], invalid: Callable[[str], DittoError]) -> R:
    """Return what a client answers. What it raises passes unchanged, but for the two that say nothing to a caller.

    Those become `invalid(problem)`: an :class:`InvalidValue` that the client met while it built its answer, and a
    group of exceptions. When the task was cancelled meanwhile, that is how it ends, whatever the client makes of it.
    """
    task = asyncio.current_task()
    cancelling = task.cancelling() if task else 0
    try:
        answer = await request
    except InvalidValue as error:
        raise invalid(str(error)) from error
    except BaseExceptionGroup as group:
        if task and task.cancelling() > cancelling:
            raise asyncio.CancelledError from group
        if group.subgroup((KeyboardInterrupt, SystemExit)):
            raise
        raise invalid(f"the client raised several exceptions at once: {_named(group)}") from group
    if task and task.cancelling() > cancelling:
        raise asyncio.CancelledError
    return answer


def _named(group: BaseExceptionGroup[BaseException]) -> str:
    names = sorted({type(error).__name__ for error in _leaves(group)})
    more = len(names) - _MAX_NAMED
    return ", ".join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    pending: list[BaseException] = [group]
    while pending:
        error = pending.pop()
        if isinstance(error, BaseExceptionGroup):
            pending.extend(error.exceptions)
        else:
            yield error
