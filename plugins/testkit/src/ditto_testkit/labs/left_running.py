"""What a call has left: tasks that go on, beside what the process has."""

from __future__ import annotations

import asyncio
from typing import Final

import attrs

from .leftovers import Belongings, belongings
from .loop import settle

_TURNS: Final = 20
_PAUSE: Final = 0.01
"""How often it is looked, and how many seconds apart: a thread ends a little later than the call that stopped it."""


@attrs.frozen(kw_only=True)
class Running:
    """The tasks of the event loop and the belongings of the process, at one time."""

    tasks: frozenset[asyncio.Task[object]] = attrs.field(factory=lambda: frozenset(asyncio.all_tasks()))
    held: Belongings = attrs.field(factory=belongings)

    async def left(self) -> list[str]:
        """Return what has come since and is still there, after everything that can end has had the time to end."""
        await settle()
        turns = _TURNS
        while (found := self._more()) and turns:
            turns -= 1
            await asyncio.sleep(_PAUSE)
        for task in asyncio.all_tasks() - self.tasks:
            task.cancel()
        await settle()
        return found

    def _more(self) -> list[str]:
        tasks = [f"a task in {_coroutine(task)}" for task in asyncio.all_tasks() - self.tasks if not task.done()]
        return [*tasks, *belongings().more_than(self.held)]


def _coroutine(task: asyncio.Task[object]) -> str:
    return getattr(task.get_coro(), "__qualname__", "?")
