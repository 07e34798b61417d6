"""How a runtime and a registration end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    CloseInsideCall,
    InvalidValue,
    NodeUnavailable,
    Runtime,
    RuntimeClosed,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    Worker,
    interaction_nodes,
    interaction_worker,
)
from tests.support import run
from tests.support.tools import Gate, make_tool, settle

ALL = Sandbox(tools=["*"])


def _runtime(*tools: Any, **options: Any) -> Runtime:
    return Runtime(workers=[interaction_worker(tools=tools, **options)], sandbox=ALL)


def _input(name: str = "t", id: str = "1") -> ToolInput:
    return ToolInput(call=ToolCall(id=id, name=name, arguments={}))


def _disposable(log: list[str], name: str, *, fails: bool = False, is_async: bool = True) -> Worker:
    async def later(resources: str) -> None:
        await asyncio.sleep(0)
        now(resources)

    def now(resources: str) -> None:
        log.append(f"dispose {resources}")
        if fails:
            raise RuntimeError(resources)

    def resources() -> str:
        log.append(f"make {name}")
        return name

    return Worker("INTERACTION", interaction_nodes(), resources=resources, dispose=later if is_async else now)


@pytest.mark.promise("LIFE-01")
def test_closing_lets_the_running_calls_finish_and_their_further_calls_too() -> None:
    async def scenario() -> None:
        gate = Gate()

        async def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            await gate(arguments, context)
            return ToolOutcome(content=(await context.invoke(ACT_TOOL, _input("inner"))).structured_content)

        runtime = _runtime(make_tool("t", outer), make_tool("inner"))
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        await gate.wait_for(1)
        closing = asyncio.create_task(runtime.aclose())
        await settle()
        assert not closing.done()
        gate.open.set()
        assert (await call).content == {}
        await closing

    run(scenario())


@pytest.mark.promise("D-WRK-11")
def test_waiting_calls_are_refused_at_once() -> None:
    async def scenario() -> None:
        gate = Gate()
        runtime = _runtime(make_tool("t", gate), concurrency=1)
        first = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        await gate.wait_for(1)
        waiting = [asyncio.create_task(runtime.invoke(ACT_TOOL, _input(id=str(n)))) for n in range(3)]
        await settle()
        closing = asyncio.create_task(runtime.aclose())
        for outcome in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(outcome, RuntimeClosed)
            assert outcome.started is False
        gate.open.set()
        assert (await first).status == "success"
        await closing
        assert gate.entered == ["1"]

    run(scenario())


@pytest.mark.parametrize("ending", ["cancelled", "swallowed", "raised"])
@pytest.mark.promise("D-WRK-12", "D-ERR-03")
@pytest.mark.case("ASYNC-06")
def test_an_interrupted_caller_gets_runtime_closed_and_its_task_lives_on(ending: str) -> None:
    async def scenario() -> None:
        gate = Gate()

        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            try:
                return await gate(arguments, context)
            except asyncio.CancelledError:
                if ending == "cancelled":
                    raise
                if ending == "raised":
                    raise RuntimeError("clean-up failed") from None
            return ToolOutcome(content="never a success")

        runtime = _runtime(make_tool("t", execute))

        async def caller() -> str:
            with pytest.raises(RuntimeClosed, match="effect is unknown") as caught:
                await runtime.invoke(ACT_TOOL, _input())
            assert caught.value.started is True
            task = asyncio.current_task()
            assert task is not None
            assert task.cancelling() == 0
            await asyncio.sleep(0)
            return "lives on"

        call = asyncio.create_task(caller())
        await gate.wait_for(1)
        await runtime.aclose(timeout=0.01)
        assert await call == "lives on"

    run(scenario())


def test_a_caller_cancelled_while_interrupted_stays_cancelled() -> None:
    async def scenario() -> None:
        gate = Gate()
        runtime = _runtime(make_tool("t", gate))
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        await gate.wait_for(1)
        closing = asyncio.create_task(runtime.aclose(timeout=0.001))
        while not call.cancelling():
            await asyncio.sleep(0)
            if call.done():
                break
        call.cancel()
        with pytest.raises((asyncio.CancelledError, RuntimeClosed)):
            await call
        await closing

    run(scenario())


def test_two_calls_in_one_task_are_both_interrupted() -> None:
    async def scenario() -> None:
        gate = Gate()

        async def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            await runtime.invoke(ACT_TOOL, _input("inner", id="2"))
            return ToolOutcome(content="")

        runtime = _runtime(make_tool("t", outer), make_tool("inner", gate))

        async def caller() -> int:
            with pytest.raises(RuntimeClosed):
                await runtime.invoke(ACT_TOOL, _input())
            task = asyncio.current_task()
            assert task is not None
            return task.cancelling()

        call = asyncio.create_task(caller())
        await gate.wait_for(1)
        await runtime.aclose(timeout=0.01)
        assert await call == 0

    run(scenario())


@pytest.mark.promise("D-WRK-13")
@pytest.mark.case("ASYNC-06")
def test_what_outlives_the_grace_is_logged_and_left(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        let_go = asyncio.Event()
        entered = asyncio.Event()

        async def stubborn(arguments: Any, context: ToolContext) -> ToolOutcome:
            entered.set()
            while not let_go.is_set():
                try:
                    await let_go.wait()
                except asyncio.CancelledError:
                    continue
            return ToolOutcome(content="")

        runtime = _runtime(make_tool("t", stubborn))
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        await entered.wait()
        await runtime.aclose(timeout=0.01, grace=0.01)
        assert not call.done()
        let_go.set()
        with pytest.raises(RuntimeClosed):
            await call

    run(scenario())
    assert "calls_left_running" in caplog.text


@pytest.mark.promise("D-WRK-14", "LIFE-04", "COMP-09")
def test_resources_are_made_once_a_registration_and_disposed_once_in_reverse() -> None:
    async def scenario() -> None:
        log: list[str] = []
        first, second = _disposable(log, "a"), _disposable(log, "b", is_async=False)
        runtime = Runtime(workers=[first, second])
        runtime.register(first)
        await asyncio.gather(runtime.aclose(), runtime.aclose())
        await runtime.aclose()
        assert log == ["make a", "make b", "make a", "dispose a", "dispose b", "dispose a"]

    run(scenario())


@pytest.mark.promise("D-WRK-14")
def test_every_dispose_is_tried_and_the_failures_come_out_together() -> None:
    async def scenario() -> None:
        log: list[str] = []
        runtime = Runtime(workers=[_disposable(log, "a"), _disposable(log, "b", fails=True), _disposable(log, "c")])
        with pytest.raises(ExceptionGroup, match="could not be disposed") as caught:
            await runtime.aclose()
        assert [str(error) for error in caught.value.exceptions] == ["b"]
        assert log[3:] == ["dispose c", "dispose b", "dispose a"]

    run(scenario())


def test_a_constructor_that_fails_half_way_disposes_what_it_had_made() -> None:
    log: list[str] = []

    def broken() -> None:
        raise RuntimeError("no resources")

    workers = [
        _disposable(log, "a", is_async=False),
        _disposable(log, "b"),
        Worker("INTERACTION", interaction_nodes(), resources=broken),
    ]
    with pytest.raises(RuntimeError, match="no resources") as caught:
        Runtime(workers=workers)
    assert log == ["make a", "make b", "dispose a"]
    assert caught.value.__notes__ == ["The async dispose of worker 'INTERACTION' could not be awaited."]


def test_async_resources_are_refused() -> None:
    async def later() -> None: ...

    with pytest.raises(InvalidValue, match="must be a plain function"):
        Runtime(workers=[Worker("INTERACTION", interaction_nodes(), resources=later)])


def test_handlers_find_the_resources_of_their_registration() -> None:
    from ditto_core import OBSERVE, Observation, ObserveInput

    async def scenario() -> None:
        seen: list[Any] = []

        async def handler(input: ObserveInput, context: ToolContext) -> Observation:
            seen.append(context.resources)
            from ditto_core import observe

            return observe(input)

        worker = Worker("INTERACTION", [OBSERVE.define("INTERACTION", handler)], resources=lambda: ["own"])
        async with Runtime(workers=[worker]) as runtime:
            await runtime.invoke(
                OBSERVE, {"result": {"callId": "1", "source": "a", "status": "success", "content": ""}}
            )
        assert seen == [["own"]]

    run(scenario())


@pytest.mark.promise("D-WRK-15")
def test_a_call_cannot_close_what_waits_for_it() -> None:
    async def scenario() -> None:
        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            for close in (runtime.aclose, registration.aclose):
                with pytest.raises(CloseInsideCall, match="from inside a call or a disposal"):
                    await close()
                with pytest.raises(CloseInsideCall):
                    await asyncio.create_task(close())
            return ToolOutcome(content="still open")

        runtime = Runtime(sandbox=ALL)
        registration = runtime.register(interaction_worker(tools=[make_tool("t", execute)]))
        assert (await runtime.invoke(ACT_TOOL, _input())).content == "still open"
        await runtime.aclose()

    run(scenario())


@pytest.mark.promise("D-WRK-15")
@pytest.mark.case("ASYNC-06")
def test_closing_goes_on_when_one_who_waits_for_it_is_cancelled() -> None:
    async def scenario() -> None:
        gate = Gate()
        log: list[str] = []
        runtime = Runtime(
            workers=[interaction_worker(tools=[make_tool("t", gate)]), _disposable(log, "a")], sandbox=ALL
        )
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        await gate.wait_for(1)
        first = asyncio.create_task(runtime.aclose())
        second = asyncio.create_task(runtime.aclose())
        await settle()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        gate.open.set()
        await second
        assert (await call).status == "success"
        assert log == ["make a", "dispose a"]

    run(scenario())


@pytest.mark.promise("D-WRK-17", "LIFE-02")
def test_one_registration_closes_alone() -> None:
    async def scenario() -> None:
        gate, log = Gate(), []  # type: ignore[var-annotated]
        runtime = Runtime(sandbox=ALL)
        worker = interaction_worker(tools=[make_tool("t", gate), make_tool("u")])
        gone, stays = runtime.register(worker), runtime.register(_disposable(log, "a"))
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input(), worker=gone))
        await gate.wait_for(1)
        closing = asyncio.create_task(gone.aclose())
        await settle()
        gate.open.set()
        assert (await call).status == "success"
        await closing
        await gone.aclose()
        with pytest.raises(NodeUnavailable):
            await runtime.invoke(ACT_TOOL, _input(), worker=gone)
        assert log == ["make a"]
        await stays.aclose()
        await runtime.aclose()
        assert log == ["make a", "dispose a"]

    run(scenario())
