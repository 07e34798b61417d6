"""TP-040 to TP-042: calls that are cancelled, and calls beside each other."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

from hypothesis import strategies as st

from ..fakes import ScriptedExecutor, printed
from ..fakes.executors import echoed
from ..labs.blocked import Blocked
from ..labs.loop import settle
from ..labs.moments import Moment, moments
from ..labs.tool_case import ToolCase
from .model import call_text, check, fail

_PAUSES = (0, 3, 40)
_TURN = 1e-5
"""For how many seconds a thread goes on when others want to."""


def _moments() -> st.SearchStrategy[Moment]:
    return st.builds(Moment, st.integers(0, 3) | st.integers(0, 30), st.integers(0, 1))


async def _cancelled(
    case: ToolCase, given: Any, executor: ScriptedExecutor, moment: Moment, *, by_runtime: bool = True
) -> asyncio.Task[Any] | None:
    """Cancel a call at a moment; None if it was over by then. Waits until it has ended."""
    sandbox = case.sandbox(executor=executor)
    task = asyncio.ensure_future(case.calling(given, sandbox, by_runtime=by_runtime))
    await moment.come(task, sandbox)
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
    case.once("TP-040", lambda: _each(case, _ends_cancelled))
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    moment = data.draw(_moments(), label="moment of the cancellation")
    pauses = data.draw(st.sampled_from(_PAUSES), label="pauses of the executor")
    _ends_cancelled(case, given, moment, pauses)


def _each(case: ToolCase, look: Callable[[ToolCase, Any, Moment, int], None]) -> None:
    for given in case.working[:1]:
        for moment, pauses in product(moments(case, given), _PAUSES if "execute" in case.effects else _PAUSES[:1]):
            look(case, given, moment, pauses)


def _ends_cancelled(case: ToolCase, given: Any, moment: Moment, pauses: int) -> None:
    executor = ScriptedExecutor(printed("done\n"), pauses=pauses)

    async def run() -> str:
        task = await _cancelled(case, given, executor, moment, by_runtime=False)
        if task is None or task.cancelled():
            return ""
        error = task.exception()
        return f"{type(error).__name__}: {error}" if error else f"a result, {task.result().status}"

    ended = case.lab.loop.ended(run())
    came = ended.value if ended.error is None else f"nothing: {ended.error}"
    if came:
        call = call_text(case.name, given)
        fail(f"{case.name!r} is cancelled and goes on", came=came, call=call, cancelled_after=str(moment))


@check(
    "TP-041",
    title="A call leaves nothing running",
    fix="await every task that you start, in a TaskGroup or in a finally block that cancels and awaits it",
    each_tool=True,
    draws=True,
)
def nothing_runs_on(case: ToolCase, data: Any) -> None:
    """What runs on after the end acts without permission, deadline and anybody who listens."""
    case.once("TP-041", lambda: _each_end(case))
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    moment = data.draw(_moments() | st.none(), label="moment of the cancellation, None for an undisturbed call")
    pauses = data.draw(st.sampled_from(_PAUSES), label="pauses of the executor")
    _leaves_nothing(case, given, moment, pauses)


def _each_end(case: ToolCase) -> None:
    for given in case.working:
        _leaves_nothing(case, given, None, 0)
    _each(case, _leaves_nothing)


def _leaves_nothing(case: ToolCase, given: Any, moment: Moment | None, pauses: int) -> None:
    executor = ScriptedExecutor(printed("done\n"), pauses=pauses)

    async def run() -> list[str]:
        before = asyncio.all_tasks()
        if moment is None:
            await asyncio.gather(case.calling(given, case.sandbox(executor=executor)), return_exceptions=True)
        else:
            task = await _cancelled(case, given, executor, moment)
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
        fail(f"{case.name!r} leaves something running", left=left, call=call, cancelled_after=moment and str(moment))


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
    """A worker runs many calls at once; each result belongs to its call, and is the one that a lone call gives.

    Tried are, beside drawn ones, calls that find something in the workspace and have different answers, in both orders
    and with executors that take their time.
    """
    if case.effects & {"write", "network"} or case.name in case.capabilities.not_repeatable:
        return
    case.once("TP-042", lambda: _fruitful_ones(case))
    given = case.usual | st.sampled_from(case.fruitful) if case.fruitful else case.usual
    several = data.draw(st.lists(given, min_size=2, max_size=4), label=f"arguments for {case.name}")
    pauses = data.draw(st.lists(st.integers(0, 5), min_size=4, max_size=4), label="pauses of the executors")
    _keep_apart(case, several, pauses)


def _fruitful_ones(case: ToolCase) -> None:
    several = case.fruitful
    for order, pauses in product((several, several[::-1]), ((0, 0, 0, 0), (3, 0, 5, 1))):
        _keep_apart(case, order, pauses)


@contextmanager
def _many_turns() -> Iterator[None]:
    """Let threads take turns much more often, so that those of plain functions meet."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _keep_apart(case: ToolCase, several: list[Any], pauses: Sequence[int]) -> None:
    sandboxes = [
        case.sandbox(executor=ScriptedExecutor(echoed, pauses=pause))
        for pause, _ in zip(pauses, several, strict=False)
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
            call = case.calling(given, case.sandbox(executor=ScriptedExecutor(echoed)), id=f"c{index}")
            ends += await asyncio.gather(call, return_exceptions=True)
        return ends

    with _many_turns():
        found = case.lab.loop.run(together())
    expected = case.lab.loop.run(alone())
    mixed = [row for row in zip(several, found, expected, strict=True) if not _is_same(*row[1:])]
    if mixed and not all(map(_is_same, expected, case.lab.loop.run(alone()))):
        raise Blocked("TP-035", "a lone call has not the same answer twice either")
    for given, one, other in mixed:
        fail(
            f"a call of {case.name!r} gets another answer beside others",
            call=call_text(case.name, given),
            beside=[call_text(case.name, each) for each in several if each is not given],
            alone=_text(other),
            then=_text(one),
        )


def _is_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) if isinstance(one, BaseException) else bool(one == other)


def _text(ended: Any) -> str:
    return f"{type(ended).__name__}: {ended}" if isinstance(ended, BaseException) else repr(ended)
