"""Closing when disposals, calls within calls and threads do not behave."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    CloseInsideCall,
    InvalidValue,
    Node,
    Runtime,
    RuntimeClosed,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    Worker,
    in_thread,
    interaction_nodes,
    interaction_worker,
)
from tests.support import run
from tests.support.tools import Gate, make_tool, settle

ALL = Sandbox(tools=["*"])
OUTER: Node[ToolInput, str] = Node("A.RUN", ToolInput, str)
INNER: Node[ToolInput, str] = Node("B.RUN", ToolInput, str)


def _input(name: str = "t", id: str = "1") -> ToolInput:
    return ToolInput(call=ToolCall(id=id, name=name, arguments={}))


def _worker(dispose: Any, resources: Any = None) -> Worker:
    return Worker("INTERACTION", interaction_nodes(), resources=resources, dispose=dispose)


@pytest.mark.promise("D-WRK-14")
def test_a_dispose_that_ends_in_a_cancellation_stops_no_other() -> None:
    async def scenario() -> None:
        log: list[str] = []

        async def cancelled(resources: Any) -> None:
            task = asyncio.create_task(asyncio.Event().wait())
            await asyncio.sleep(0)
            task.cancel()
            await task

        runtime = Runtime(workers=[_worker(lambda resources: log.append("first")), _worker(cancelled)])
        for _ in range(2):
            with pytest.raises(ExceptionGroup) as caught:
                await runtime.aclose()
            assert [str(error) for error in caught.value.exceptions] == ["dispose ended in a cancellation"]
        assert log == ["first"]

    run(scenario())


@pytest.mark.promise("D-WRK-15")
def test_a_dispose_cannot_close_what_disposes_it() -> None:
    async def scenario() -> None:
        refused: list[str] = []

        async def close(resources: Any) -> None:
            for close_again in (runtime.aclose, registration.aclose):
                with pytest.raises(CloseInsideCall):
                    await close_again()
                refused.append("refused")

        runtime = Runtime()
        registration = runtime.register(_worker(close))
        await runtime.aclose()
        assert refused == ["refused"] * 2

    run(scenario())


@pytest.mark.promise("D-WRK-14")
def test_the_runtime_waits_for_a_disposal_that_somebody_else_began() -> None:
    async def scenario() -> None:
        log: list[str] = []
        go = asyncio.Event()

        async def slow(resources: Any) -> None:
            log.append("begun")
            await go.wait()
            log.append("done")

        runtime = Runtime()
        registration = runtime.register(_worker(slow))
        first = asyncio.create_task(registration.aclose())
        await settle()
        second = asyncio.create_task(runtime.aclose())
        await settle()
        assert (log, second.done()) == (["begun"], False)
        go.set()
        await asyncio.gather(first, second)
        assert log == ["begun", "done"]

    run(scenario())


@pytest.mark.parametrize("seconds", ["5", [], None, True, -1, float("nan"), float("inf"), 10**400], ids=range(8))
def test_a_bad_duration_is_refused_and_closes_nothing(seconds: Any) -> None:
    async def scenario() -> None:
        runtime = Runtime(sandbox=ALL)
        registration = runtime.register(interaction_worker(tools=[make_tool("t")]))
        for close in (runtime.aclose, registration.aclose):
            for options in ({"timeout": seconds}, {"grace": seconds}):
                with pytest.raises(InvalidValue, match="seconds from 0 up"):
                    await close(**options)
        assert (await runtime.invoke(ACT_TOOL, _input())).status == "success"
        await runtime.aclose(timeout=0, grace=0)

    run(scenario())


@pytest.mark.promise("D-WRK-12", "LIFE-01")
@pytest.mark.parametrize("patient", [True, False])
def test_a_call_within_a_call_is_waited_for_and_interrupted_like_any_other(patient: bool) -> None:
    async def scenario() -> None:
        begun, go = asyncio.Event(), asyncio.Event()
        log: list[Any] = []

        async def outer(input: ToolInput, context: ToolContext) -> str:
            return await context.invoke(INNER, input)

        async def inner(input: ToolInput, context: ToolContext) -> str:
            begun.set()
            await go.wait()
            log.append(list(context.resources))
            return "done"

        runtime = Runtime()
        runtime.register(Worker("A", [OUTER.define("A", outer)]))
        own = runtime.register(
            Worker("B", [INNER.define("B", inner)], resources=lambda: ["open"], dispose=lambda made: made.clear())
        )
        call = asyncio.create_task(runtime.invoke(OUTER, _input()))
        await begun.wait()
        closing = asyncio.create_task(own.aclose(timeout=5 if patient else 0.01))
        await settle()
        if patient:
            assert not closing.done()
            go.set()
            assert await call == "done"
            assert log == [["open"]]
        else:
            with pytest.raises(RuntimeClosed) as caught:
                await call
            assert caught.value.started
        await closing

    run(scenario())


def test_a_call_within_a_call_that_outlives_its_parent_is_waited_for() -> None:
    async def scenario() -> None:
        gate = Gate()
        left: list[asyncio.Task[Any]] = []

        async def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            left.append(asyncio.create_task(context.invoke(ACT_TOOL, _input("inner"))))  # type: ignore[arg-type]
            await gate.wait_for(1)
            return ToolOutcome(content="")

        runtime = Runtime(
            workers=[interaction_worker(tools=[make_tool("t", outer), make_tool("inner", gate)])], sandbox=ALL
        )
        await runtime.invoke(ACT_TOOL, _input())
        closing = asyncio.create_task(runtime.aclose())
        await settle()
        assert not closing.done()
        gate.open.set()
        assert (await left[0]).status == "success"
        await closing

    run(scenario())


def test_a_constructor_that_fails_tries_every_dispose_and_keeps_its_own_error() -> None:
    log: list[str] = []

    def broken(resources: Any) -> None:
        raise OSError("disposal")

    def no_resources() -> None:
        raise RuntimeError("no resources")

    workers = [_worker(lambda resources: log.append("first")), _worker(broken), _worker(None, no_resources)]
    with pytest.raises(RuntimeError, match="no resources") as caught:
        Runtime(workers=workers)
    assert log == ["first"]
    assert caught.value.__notes__ == ["The dispose of worker 'INTERACTION' raised OSError."]


@pytest.mark.promise("D-TOOL-14")
def test_a_thread_that_cannot_be_started_gives_its_slot_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        def refuse(thread: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        plain = make_tool("t", lambda arguments, context: ToolOutcome(content="ran"))
        runtime = Runtime(workers=[interaction_worker(tools=[plain], concurrency=1)], sandbox=ALL)
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", refuse)
            with pytest.raises(RuntimeError, match="can't start"):
                await runtime.invoke(ACT_TOOL, _input())
        assert (await runtime.invoke(ACT_TOOL, _input())).content == "ran"

    run(scenario())


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.promise("D-TOOL-21")
def test_plain_functions_that_wait_for_plain_functions_do_not_use_up_the_threads(threads: int) -> None:
    async def scenario() -> None:
        def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            return ToolOutcome(content=context.wait(context.invoke(ACT_TOOL, _input("inner"))).content)

        tools = [make_tool("t", outer), make_tool("inner", lambda arguments, context: ToolOutcome(content="in"))]
        async with Runtime(workers=[interaction_worker(tools=tools)], sandbox=ALL, threads=threads) as runtime:
            results = await asyncio.gather(*[runtime.invoke(ACT_TOOL, _input(id=str(n))) for n in range(3 * threads)])
        assert {result.content for result in results} == {"in"}

    run(scenario())


@pytest.mark.promise("D-TOOL-14")
def test_the_slot_stays_taken_while_a_thread_of_a_call_within_runs() -> None:
    async def scenario() -> None:
        begun, let_go = threading.Semaphore(0), threading.Event()

        async def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            return ToolOutcome(content=(await context.invoke(ACT_TOOL, _input("inner"))).content)

        def inner(arguments: Any, context: ToolContext) -> ToolOutcome:
            begun.release()
            assert let_go.wait(10)
            return ToolOutcome(content="")

        tools = [make_tool("t", outer), make_tool("inner", inner)]
        runtime = Runtime(workers=[interaction_worker(tools=tools, concurrency=1)], sandbox=ALL)
        first = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        assert await in_thread(begun.acquire, True, 10)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        second = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        await settle()
        assert not begun.acquire(blocking=False)
        let_go.set()
        await second

    run(scenario())


def test_a_closed_runtime_takes_no_more_functions() -> None:
    async def scenario() -> None:
        entered = asyncio.Event()
        answers: list[Any] = []

        async def stubborn(arguments: Any, context: ToolContext) -> ToolOutcome:
            entered.set()
            while not runtime_closed.is_set():
                try:
                    await runtime_closed.wait()
                except asyncio.CancelledError:
                    continue
            try:
                await context.in_thread(lambda: 5)
            except RuntimeClosed as error:
                answers.append(error.started)
            return ToolOutcome(content="")

        runtime_closed = asyncio.Event()
        runtime = Runtime(workers=[interaction_worker(tools=[make_tool("t", stubborn)])], sandbox=ALL)
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        await entered.wait()
        await runtime.aclose(timeout=0.01, grace=0.01)
        runtime_closed.set()
        with pytest.raises(RuntimeClosed):
            await call
        assert answers == [False]

    run(scenario())


def test_a_node_of_another_worker_may_be_called_without_a_slot() -> None:
    async def scenario() -> None:
        async def outer(input: ToolInput, context: ToolContext) -> str:
            wire = {"result": {"callId": "1", "source": "a", "status": "success", "content": "seen"}}
            observation = await context.invoke(OBSERVE, wire)
            return str(observation.message.content)

        runtime = Runtime(workers=[Worker("A", [OUTER.define("A", outer)]), interaction_worker(concurrency=1)])
        assert await runtime.invoke(OUTER, _input()) == "seen"

    run(scenario())
