"""How the review asks: each look at the workspace is a call of a command's tool, and its result is observed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from itertools import count
from typing import Any, Final, TypeVar

import attrs

from ditto_core import ACT_TOOL, OBSERVE, JsonValue, ObserveInput, Runtime, TextPart, ToolCall, ToolInput

T = TypeVar("T")

TASKS: Final = 4
"""How many commands run at the same time."""


@attrs.frozen(kw_only=True)
class Answer:
    """What a command printed, and how it ended.

    ``cut`` says that some of it is missing, ``exit_code`` is None when the command was stopped because it printed too
    much, and ``complaint`` says why another status than 0 came: the end of the first line of standard error.
    """

    output: str
    cut: bool
    exit_code: int | None
    complaint: str


class Commands:
    """The commands of a runtime; each call has an id of its own."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._ids = count(1)

    async def ask(self, tool: str, **arguments: JsonValue) -> Answer:
        """Run a command; raises :class:`DittoError` for one that was refused, did not start or took too long."""
        call = ToolCall(id=f"review-{next(self._ids)}", name=tool, arguments=arguments)
        result = await self._runtime.invoke(ACT_TOOL, ToolInput(call=call))
        observation = await self._runtime.invoke(OBSERVE, ObserveInput(result=result))
        # A failure stands in the message before the output does.
        parts: Any = observation.message.content
        about: Any = observation.structured_content
        complaint: str = about["stderr"].partition("\n")[0].rpartition(": ")[2]
        if observation.error and not complaint:
            complaint = observation.error.message
        return Answer(
            output=[part.text for part in parts if isinstance(part, TextPart)][-1],
            cut=about["truncated"],
            exit_code=about["exitCode"],
            complaint=complaint,
        )


async def for_each(items: Iterable[T], act: Callable[[T], Awaitable[None]]) -> None:
    """Act on all items, a few at a time: each task takes the next one, so no output waits in memory for its turn."""

    async def act_on_some(waiting: Iterator[T]) -> None:
        for item in waiting:
            await act(item)

    waiting = iter(items)
    async with asyncio.TaskGroup() as tasks:
        for _ in range(TASKS):
            tasks.create_task(act_on_some(waiting))
