"""`with_timeout`: its own deadline becomes a result, everything else that ends a tool stays what it is."""

from __future__ import annotations

import asyncio
import threading
from math import inf, nan
from typing import Any

import pytest

from ditto_core import (
    UNSET,
    InvalidTool,
    Tool,
    ToolContext,
    ToolOutcome,
    with_approval,
    with_timeout,
)
from tests.support import run
from tests.support.tools import make_tool

LONG = 60.0


async def execute(one: Tool[Any], arguments: Any = None) -> ToolOutcome:
    outcome: ToolOutcome = await one.execute(arguments, ToolContext(call_id="c1"))
    return outcome


def timed_out(outcome: ToolOutcome) -> bool:
    return outcome.status == "timeout" and outcome.error is not UNSET and outcome.error.code == "TOOL_TIMEOUT"


def test_a_tool_that_ends_in_time_is_untouched() -> None:
    outcome = ToolOutcome(content="done")

    async def at_once(arguments: Any, context: ToolContext) -> ToolOutcome:
        return outcome

    assert run(execute(with_timeout(make_tool(execute=at_once), LONG))) is outcome


@pytest.mark.promise("D-TOOL-18")
def test_a_tool_that_does_not_is_cancelled_and_its_effect_uncertain() -> None:
    ended: list[str] = []

    async def forever(arguments: Any, context: ToolContext) -> ToolOutcome:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cleaned up")
        raise AssertionError

    outcome = run(execute(with_timeout(make_tool(execute=forever), 0.01)))
    assert timed_out(outcome)
    assert outcome.error is not UNSET
    assert outcome.error.message == (
        "The tool did not end within 0.01 seconds. Its effect is uncertain: check before a retry."
    )
    assert ended == ["cleaned up"]


def test_a_timeout_error_of_the_tool_is_its_own() -> None:
    error = TimeoutError("a socket's")

    async def fails(arguments: Any, context: ToolContext) -> ToolOutcome:
        raise error

    with pytest.raises(TimeoutError) as caught:
        run(execute(with_timeout(make_tool(execute=fails), LONG)))
    assert caught.value is error


def test_a_tool_that_swallows_its_cancellation_is_too_late_all_the_same() -> None:
    async def stubborn(arguments: Any, context: ToolContext) -> ToolOutcome:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return ToolOutcome(content="saved")
        raise AssertionError

    assert run(execute(with_timeout(make_tool(execute=stubborn), 0.01))).status == "timeout"


@pytest.mark.promise("D-TOOL-18")
def test_cancelling_the_call_is_no_timeout() -> None:
    async def main() -> None:
        began = asyncio.Event()

        async def forever(arguments: Any, context: ToolContext) -> ToolOutcome:
            began.set()
            await asyncio.Event().wait()
            raise AssertionError

        task = asyncio.create_task(execute(with_timeout(make_tool(execute=forever), LONG)))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()

    run(main())


def test_the_inner_of_two_deadlines_is_the_inner_ones_result() -> None:
    async def forever(arguments: Any, context: ToolContext) -> ToolOutcome:
        await asyncio.Event().wait()
        raise AssertionError

    outcome = run(execute(with_timeout(with_timeout(make_tool(execute=forever), 0.01), LONG)))
    assert timed_out(outcome)


def test_a_plain_function_runs_on_in_its_thread() -> None:
    released, ended = threading.Event(), threading.Event()

    def blocks(arguments: Any, context: ToolContext) -> ToolOutcome:
        released.wait(10)
        ended.set()
        return ToolOutcome(content="late")

    # Long enough for a busy machine to start the thread: what has not begun by then is never begun.
    outcome = run(execute(with_timeout(make_tool(execute=blocks), 0.5)))
    assert timed_out(outcome)
    assert not ended.is_set()
    released.set()
    assert ended.wait(10)


def test_the_deadline_covers_what_is_inside() -> None:
    async def never(definition: Any, arguments: Any) -> bool:
        await asyncio.Event().wait()
        raise AssertionError

    assert timed_out(run(execute(with_timeout(with_approval(make_tool(), never), 0.01))))


@pytest.mark.parametrize("seconds", [0, -1, 0.0, nan, inf, 10**400, True, "5", None], ids=range(9))
def test_seconds_are_a_positive_finite_number(seconds: Any) -> None:
    with pytest.raises(InvalidTool, match=r"^with_timeout\('echo'\): seconds must be a positive, finite number, not "):
        with_timeout(make_tool(), seconds)
