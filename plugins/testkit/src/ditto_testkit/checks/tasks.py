"""TP-040 to TP-042: calls that are cancelled, and calls beside each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from hypothesis import strategies as st

from ditto_core import Command

from ..fakes import ScriptedExecutor, printed
from ..labs.packs import ToolCase, settle
from .model import call_text, check, fail

_POINTS = (0, 1, 2, 3, 5, 8, 13, 21)
_PAUSES = (0, 3, 40)


def _points() -> st.SearchStrategy[int]:
    return st.integers(0, 3) | st.integers(0, 30)


async def _cancelled(
    case: ToolCase, given: Any, executor: ScriptedExecutor, point: int, *, by_runtime: bool = True
) -> asyncio.Task[Any] | None:
    """Cancel a call after `point` turns of the event loop; None if it was over by then. Waits until it has ended."""
    task = asyncio.ensure_future(case.calling(given, case.sandbox(executor=executor), by_runtime=by_runtime))
    for _ in range(point):
        await asyncio.sleep(0)
    if not task.cancel():
        await asyncio.gather(task, return_exceptions=True)
        return None
    await asyncio.wait([task])
    return task


@check(
    "TP-040",
    title="A cancelled call ends as cancelled",
    fix="let CancelledError through: catch Exception, never BaseException or CancelledError, or raise it again",
    each_tool=True,
    draws=True,
)
def cancellation_passes(case: ToolCase, data: Any) -> None:
    """Whoever cancels waits for the end; a result that comes instead is taken for what was asked for."""
    case.once("TP-040", lambda: _each(case, _POINTS, _ends_cancelled))
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    point = data.draw(_points(), label="turns of the event loop before the cancellation")
    pauses = data.draw(st.sampled_from(_PAUSES), label="pauses of the executor")
    _ends_cancelled(case, given, point, pauses)


def _each(case: ToolCase, points: Iterable[int | None], look: Callable[[ToolCase, Any, Any, int], None]) -> None:
    for given, point, pauses in product(case.samples[:1], points, _PAUSES):
        look(case, given, point, pauses)


def _ends_cancelled(case: ToolCase, given: Any, point: int, pauses: int) -> None:
    executor = ScriptedExecutor(printed("done\n"), pauses=pauses)

    async def run() -> str:
        task = await _cancelled(case, given, executor, point, by_runtime=False)
        if task is None or task.cancelled():
            return ""
        error = task.exception()
        return f"{type(error).__name__}: {error}" if error else f"a result, {task.result().status}"

    ended = case.lab.loop.ended(run())
    came = ended.value if ended.error is None else f"nothing: {ended.error}"
    if came:
        call = call_text(case.name, given)
        fail(f"{case.name!r} is cancelled and goes on", came=came, call=call, cancelled_after=point)


@check(
    "TP-041",
    title="A call leaves nothing running",
    fix="await every task that you start, in a TaskGroup or in a finally block that cancels and awaits it",
    each_tool=True,
    draws=True,
)
def nothing_runs_on(case: ToolCase, data: Any) -> None:
    """What runs on after the end acts without permission, deadline and anybody who listens."""
    case.once("TP-041", lambda: _each(case, (None, *_POINTS), _leaves_nothing))
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    point = data.draw(_points() | st.none(), label="turns before the cancellation, None for an undisturbed call")
    pauses = data.draw(st.sampled_from(_PAUSES), label="pauses of the executor")
    _leaves_nothing(case, given, point, pauses)


def _leaves_nothing(case: ToolCase, given: Any, point: int | None, pauses: int) -> None:
    executor = ScriptedExecutor(printed("done\n"), pauses=pauses)

    async def run() -> list[str]:
        before = asyncio.all_tasks()
        if point is None:
            await asyncio.gather(case.calling(given, case.sandbox(executor=executor)), return_exceptions=True)
        else:
            task = await _cancelled(case, given, executor, point)
            if task is not None and not task.cancelled():
                task.exception()  # what it is, is another check's business
        await settle()  # what the runtime itself cancels at the end of a call needs a turn to end
        left = [_name(task) for task in asyncio.all_tasks() - before if not task.done()]
        if executor.running:
            left.append("a command of the executor")
        for task in asyncio.all_tasks() - before:
            task.cancel()
        await settle()
        return left

    left = case.lab.loop.run(run())
    if left:
        call = call_text(case.name, given)
        fail(f"{case.name!r} leaves something running", left=left, call=call, cancelled_after=point)


def _name(task: asyncio.Task[Any]) -> str:
    return f"a task in {getattr(task.get_coro(), '__qualname__', '?')}"


@check(
    "TP-042",
    title="Calls beside each other do not mix",
    fix="keep what belongs to a call in local variables, not on the plugin, the module or the tool",
    each_tool=True,
    draws=True,
    share=0.4,
)
def parallel_calls_keep_apart(case: ToolCase, data: Any) -> None:
    """A worker runs many calls at once; each result belongs to its call, and is the one that a lone call gives."""
    if case.effects & {"write", "network"} or case.name in case.capabilities.not_repeatable:
        return
    several = data.draw(st.lists(case.usual, min_size=2, max_size=4), label=f"arguments for {case.name}")
    pauses = data.draw(st.lists(st.integers(0, 5), min_size=4, max_size=4), label="pauses of the executors")
    sandboxes = [
        case.sandbox(executor=ScriptedExecutor(_echo, pauses=pause)) for pause, _ in zip(pauses, several, strict=False)
    ]

    async def together() -> list[Any]:
        calls = [
            case.calling(given, sandbox, id=f"c{index}")
            for index, (given, sandbox) in enumerate(zip(several, sandboxes, strict=True))
        ]
        return await asyncio.gather(*calls, return_exceptions=True)

    async def alone() -> list[Any]:
        ends: list[Any] = []
        for index, given in enumerate(several):
            call = case.calling(given, case.sandbox(executor=ScriptedExecutor(_echo)), id=f"c{index}")
            ends += await asyncio.gather(call, return_exceptions=True)
        return ends

    found, expected = case.lab.loop.run(together()), case.lab.loop.run(alone())
    for given, one, other in zip(several, found, expected, strict=True):
        same = type(one) is type(other) if isinstance(one, BaseException) else one == other
        if not same:
            fail(
                f"a call of {case.name!r} gets another answer beside others",
                call=call_text(case.name, given),
                beside=[call_text(case.name, each) for each in several if each is not given],
                alone=_text(other),
                then=_text(one),
            )


def _echo(command: Command) -> Any:
    return printed(" ".join((command.program, *command.args)))


def _text(ended: Any) -> str:
    return f"{type(ended).__name__}: {ended}" if isinstance(ended, BaseException) else repr(ended)
