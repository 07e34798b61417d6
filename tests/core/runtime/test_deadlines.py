"""The ends of a call that its caller decides: deadlines and cancellation."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    CallTimeout,
    DittoError,
    InvalidInput,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    interaction_worker,
)
from tests.support import run
from tests.support.tools import Gate, make_tool

ALL = Sandbox(tools=["*"])


def _runtime(*tools: Any, sandbox: Sandbox = ALL, **options: Any) -> Runtime:
    return Runtime(workers=[interaction_worker(tools=tools, **options)], sandbox=sandbox)


def _input(name: str = "echo", id: str = "1", **arguments: Any) -> ToolInput:
    return ToolInput(call=ToolCall(id=id, name=name, arguments=arguments))


@pytest.mark.promise("D-WRK-10")
def test_a_deadline_that_passes_while_running_says_that_the_effect_is_uncertain() -> None:
    async def scenario() -> None:
        gate = Gate()
        with pytest.raises(CallTimeout, match="effect is uncertain") as caught:
            await _runtime(make_tool("t", gate)).invoke(ACT_TOOL, _input("t"), timeout=0.01)
        assert caught.value.started is True
        assert isinstance(caught.value, TimeoutError)
        assert isinstance(caught.value, DittoError)
        assert gate.inside == 0

    run(scenario())


@pytest.mark.promise("D-WRK-10", "D-ERR-03")
def test_a_deadline_that_passes_in_the_line_says_that_nothing_has_run() -> None:
    async def scenario() -> None:
        gate = Gate()
        runtime = _runtime(make_tool("t", gate), concurrency=1)
        running = asyncio.create_task(runtime.invoke(ACT_TOOL, _input("t")))
        await gate.wait_for(1)
        with pytest.raises(CallTimeout, match="nothing has run") as caught:
            await runtime.invoke(ACT_TOOL, _input("t"), timeout=0.01)
        assert caught.value.started is False
        gate.open.set()
        await running

    run(scenario())


@pytest.mark.promise("D-WRK-10")
def test_a_timeout_of_the_tools_own_is_not_the_deadline() -> None:
    async def scenario() -> None:
        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            raise TimeoutError("mine")

        with pytest.raises(TimeoutError, match="mine") as caught:
            await _runtime(make_tool("t", execute)).invoke(ACT_TOOL, _input("t"), timeout=5)
        assert not isinstance(caught.value, CallTimeout)

    run(scenario())


@pytest.mark.promise("D-WRK-10")
def test_a_tool_that_swallows_the_deadline_does_not_turn_it_into_a_success() -> None:
    async def scenario() -> None:
        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            return ToolOutcome(content="too late")

        task = asyncio.current_task()
        assert task is not None
        with pytest.raises(CallTimeout):
            await _runtime(make_tool("t", execute)).invoke(ACT_TOOL, _input("t"), timeout=0.01)
        assert task.cancelling() == 0

    run(scenario())


@pytest.mark.parametrize("timeout", [0, -1, True, "1", float("nan"), float("inf"), 10**400], ids=range(7))
def test_a_bad_timeout_is_refused(timeout: Any) -> None:
    async def scenario() -> None:
        with pytest.raises(InvalidInput, match="timeout must be"):
            await _runtime(make_tool()).invoke(ACT_TOOL, _input(), timeout=timeout)

    run(scenario())


def test_the_deadline_is_told() -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()

        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            assert context.deadline is None or loop.time() < context.deadline <= loop.time() + 5
            return ToolOutcome(content=str(context.deadline is None))

        runtime = _runtime(make_tool("t", execute))
        assert (await runtime.invoke(ACT_TOOL, _input("t"))).content == "True"
        assert (await runtime.invoke(ACT_TOOL, _input("t"), timeout=5)).content == "False"

    run(scenario())


@pytest.mark.promise("RUN-01", "RUN-02")
@pytest.mark.case("ASYNC-01", "ASYNC-06")
@pytest.mark.parametrize("stubborn", [False, True])
def test_cancelling_the_caller_comes_out_as_a_cancellation(stubborn: bool) -> None:
    async def scenario() -> None:
        gate = Gate()

        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            try:
                return await gate(arguments, context)
            except asyncio.CancelledError:
                if not stubborn:
                    raise
            return ToolOutcome(content="never seen")

        runtime = _runtime(make_tool("t", execute), make_tool())
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input("t")))
        await gate.wait_for(1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await runtime.invoke(ACT_TOOL, _input())).status == "success"

    run(scenario())
