"""When a call is cancelled: soon after its begin, or once it goes on with an answer of the sandbox."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs

from ..fakes.executors import ScriptedExecutor, printed
from .sandboxes import RecordingSandbox
from .tool_case import ToolCase

_SOON = (0, 1, 2, 3, 5, 8, 13, 21)
_LATER = (0, 1, 3)


@attrs.frozen
class Moment:
    """After some turns of the event loop, counted from when the sandbox has given so many answers.

    A file is read in a thread, for which no number of turns is known. What a call does with the text comes after it.
    """

    turns: int
    answers: int = 0

    def __str__(self) -> str:
        since = f" since answer {self.answers} of the sandbox" if self.answers else ""
        return f"{self.turns} turns of the event loop{since}"

    async def come(self, task: asyncio.Task[Any], sandbox: RecordingSandbox) -> None:
        """Wait for it, or until the call is over."""
        while len(sandbox.answered) < self.answers and not task.done():  # noqa: ASYNC110 - turns are counted
            await asyncio.sleep(0)
        for _ in range(self.turns):
            await asyncio.sleep(0)


def moments(case: ToolCase, given: Any) -> list[Moment]:
    """Return the moments of a call, with those after the first and the last answer that the sandbox gives it."""
    sandbox = case.sandbox(executor=ScriptedExecutor(printed("done\n")))
    case.call(given, sandbox)
    answers = sorted({1, len(sandbox.answered)}) if sandbox.answered else []
    return [*map(Moment, _SOON), *(Moment(turns, count) for count in answers for turns in _LATER)]
