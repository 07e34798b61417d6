"""The slots of a worker and the line that waits for them."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    InvalidValue,
    PermissionDenied,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    WorkerBusy,
    interaction_worker,
)
from tests.support import run
from tests.support.tools import Gate, make_tool, settle

ALL = Sandbox(tools=["*"])


def _runtime(tools: list[Any], **options: Any) -> Runtime:
    return Runtime(workers=[interaction_worker(tools=tools, **options)], sandbox=ALL)


def _input(name: str = "gate", id: str = "1") -> ToolInput:
    return ToolInput(call=ToolCall(id=id, name=name, arguments={}))


@pytest.mark.parametrize("concurrency", [0, -1, True, 1.5, "8", float("inf")])
@pytest.mark.promise("COMP-07")
@pytest.mark.case("ASYNC-08")
def test_a_bad_limit_is_refused_when_the_worker_is_built(concurrency: Any) -> None:
    with pytest.raises(InvalidValue, match="concurrency: of worker 'INTERACTION' must be a positive integer"):
        interaction_worker(concurrency=concurrency)


@pytest.mark.parametrize("max_waiting", [-1, True, 1.5, None])
def test_a_bad_waiting_line_is_refused(max_waiting: Any) -> None:
    with pytest.raises(InvalidValue, match="max_waiting"):
        interaction_worker(max_waiting=max_waiting)


@pytest.mark.parametrize(("concurrency", "peak"), [(8, 8), (None, 800)])
@pytest.mark.promise("COMP-07", "COMP-08")
@pytest.mark.case("ASYNC-08")
def test_no_more_calls_run_at_once_than_there_are_slots(concurrency: int | None, peak: int) -> None:
    async def scenario() -> None:
        gate = Gate()
        runtime = _runtime([make_tool("gate", gate)], concurrency=concurrency)
        calls = [asyncio.create_task(runtime.invoke(ACT_TOOL, _input(id=str(n)))) for n in range(800)]
        await gate.wait_for(peak)
        await settle()
        assert gate.inside == peak
        gate.open.set()
        results = await asyncio.gather(*calls)
        assert [result.call_id for result in results] == [str(n) for n in range(800)]
        assert gate.peak == peak

    run(scenario())


@pytest.mark.promise("D-WRK-03")
def test_the_line_is_first_come_first_served() -> None:
    async def scenario() -> None:
        gate = Gate()
        runtime = _runtime([make_tool("gate", gate)], concurrency=1)
        calls = []
        for n in range(10):
            calls.append(asyncio.create_task(runtime.invoke(ACT_TOOL, _input(id=str(n)))))
            await settle()
        gate.open.set()
        await asyncio.gather(*calls)
        assert gate.entered == [str(n) for n in range(10)]

    run(scenario())


@pytest.mark.promise("D-WRK-03")
@pytest.mark.case("ASYNC-02")
def test_a_waiter_cancelled_as_it_gets_the_slot_loses_it_to_the_next() -> None:
    async def scenario() -> None:
        rng = random.Random(20261130)
        running = peak = 0
        gates: dict[str, asyncio.Event] = {}

        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            nonlocal running, peak
            running += 1
            peak = max(peak, running)
            try:
                await gates[context.call_id].wait()
            finally:
                running -= 1
            return ToolOutcome(content=context.call_id)

        runtime = _runtime([make_tool("gate", execute)], concurrency=1)

        def begin(id: str) -> asyncio.Task[Any]:
            gates[id] = asyncio.Event()
            return asyncio.create_task(runtime.invoke(ACT_TOOL, _input(id=id)))

        for _ in range(2_000):
            first, second, third = begin("a"), begin("b"), begin("c")
            for _ in range(3):
                await asyncio.sleep(0)
            steps = [gates["a"].set, second.cancel]
            rng.shuffle(steps)
            for step in steps:
                step()
                if rng.random() < 0.3:
                    await asyncio.sleep(0)
            gates["b"].set()
            gates["c"].set()
            outcomes = await asyncio.gather(first, second, third, return_exceptions=True)
            assert outcomes[2].content == "c"  # type: ignore[union-attr]
            gates["d"] = asyncio.Event()
            gates["d"].set()
            assert (await runtime.invoke(ACT_TOOL, _input(id="d"))).content == "d"
        assert peak == 1

    run(scenario(), timeout=60)


@pytest.mark.case("ASYNC-03")
def test_every_way_a_call_can_fail_gives_its_slot_back() -> None:
    async def scenario() -> None:
        gate = Gate()

        def refuse(arguments: Any) -> Any:
            raise ValueError("no")

        async def boom(arguments: Any, context: ToolContext) -> ToolOutcome:
            await asyncio.sleep(0)
            raise RuntimeError("boom")

        async def wrong(arguments: Any, context: ToolContext) -> ToolOutcome:
            return None  # type: ignore[return-value]

        tools = [
            make_tool("gate", gate),
            make_tool("refuse", validate=refuse),
            make_tool("boom", boom),
            make_tool("wrong", wrong),
            make_tool("denied"),
        ]
        sandbox = Sandbox(tools=["gate", "refuse", "boom", "wrong", "unknown"])
        runtime = Runtime(workers=[interaction_worker(tools=tools, concurrency=2)], sandbox=sandbox)
        rng = random.Random(1)
        calls = []
        for n in range(1_000):
            name = rng.choice(["refuse", "boom", "wrong", "denied", "unknown"])
            call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input(name, id=str(n))))
            if rng.random() < 0.2:
                call.cancel()
            elif rng.random() < 0.2:
                asyncio.get_running_loop().call_soon(call.cancel)
            calls.append(call)
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(outcome, BaseException) for outcome in outcomes)
        three = [asyncio.create_task(runtime.invoke(ACT_TOOL, _input(id=str(n)))) for n in range(3)]
        await gate.wait_for(2)
        await settle()
        assert gate.inside == 2
        gate.open.set()
        await asyncio.gather(*three)

    run(scenario())


@pytest.mark.promise("D-WRK-06")
def test_a_full_line_refuses_and_nothing_has_run() -> None:
    async def scenario() -> None:
        gate = Gate()
        runtime = _runtime([make_tool("gate", gate)], concurrency=1, max_waiting=2)
        calls = [asyncio.create_task(runtime.invoke(ACT_TOOL, _input(id=str(n)))) for n in range(3)]
        await gate.wait_for(1)
        await settle()
        with pytest.raises(WorkerBusy, match="2 calls are waiting already"):
            await runtime.invoke(ACT_TOOL, _input(id="4"))
        calls[2].cancel()
        await settle()
        late = asyncio.create_task(runtime.invoke(ACT_TOOL, _input(id="5")))
        gate.open.set()
        await asyncio.gather(*calls, return_exceptions=True)
        await late
        assert gate.entered == ["0", "1", "5"]

    run(scenario())


@pytest.mark.promise("D-WRK-04", "D-WRK-05")
def test_a_further_call_through_the_context_takes_no_slot_and_one_through_the_runtime_is_refused() -> None:
    async def scenario() -> None:
        async def nested(arguments: Any, context: ToolContext) -> ToolOutcome:
            result = await context.invoke(ACT_TOOL, _input("inner", id="in"))
            with pytest.raises(WorkerBusy, match=r"context\.invoke"):
                await runtime.invoke(ACT_TOOL, _input("inner", id="in"))
            with pytest.raises(WorkerBusy, match=r"context\.invoke"):
                await asyncio.create_task(runtime.invoke(ACT_TOOL, _input("inner", id="in")))
            return ToolOutcome(content=result.content)

        async def inner(arguments: Any, context: ToolContext) -> ToolOutcome:
            return ToolOutcome(content="inside")

        runtime = _runtime([make_tool("outer", nested), make_tool("inner", inner)], concurrency=1)
        assert (await runtime.invoke(ACT_TOOL, _input("outer"))).content == "inside"
        assert (await runtime.invoke(ACT_TOOL, _input("inner"))).content == "inside"

    run(scenario())


@pytest.mark.promise("D-WRK-04")
def test_a_task_that_outlives_its_call_waits_like_any_other() -> None:
    async def scenario() -> None:
        left: list[asyncio.Task[Any]] = []
        go = asyncio.Event()

        async def later() -> Any:
            await go.wait()
            return await runtime.invoke(ACT_TOOL, _input("gate", id="late"))

        async def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            left.append(asyncio.create_task(later()))
            return ToolOutcome(content="")

        gate = Gate()
        runtime = _runtime([make_tool("outer", outer), make_tool("gate", gate)], concurrency=1)
        await runtime.invoke(ACT_TOOL, _input("outer"))
        holder = asyncio.create_task(runtime.invoke(ACT_TOOL, _input("gate", id="holder")))
        await gate.wait_for(1)
        go.set()
        await settle()
        gate.open.set()
        assert (await left[0]).content == "late"
        await holder

    run(scenario())


def test_a_denied_call_needs_no_tool() -> None:
    async def scenario() -> None:
        runtime = Runtime(workers=[interaction_worker()])
        with pytest.raises(PermissionDenied):
            await runtime.invoke(ACT_TOOL, _input())

    run(scenario())
