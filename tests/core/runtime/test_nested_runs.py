"""Graphs that a handler runs as part of its own call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ditto_core import (
    CallTimeout,
    ContextClosed,
    Execution,
    Graph,
    InvalidInput,
    Node,
    NodeUnavailable,
    Outputs,
    Runtime,
    Sandbox,
    ToolContext,
    Worker,
    WorkerBusy,
)
from tests.support import run
from tests.support.jobs import HIDDEN, OTHER, Job, Jobs, Run, job, jobs_graph
from tests.support.tools import settle

OUTER: Node[Job, Any] = Node("T.OUTER", Job, object)
Body = Callable[[ToolContext], Awaitable[Any]]


def _worker(jobs: Jobs, body: Body, type: str = "T", **options: Any) -> Worker:
    """Return a worker with an exposed node of this body and, for type T, the jobs' hidden one."""

    async def outer(input: Job, context: ToolContext) -> Any:
        return await body(context)

    hidden = [HIDDEN.define("T", jobs)] if type == "T" else []
    return Worker(type, [OUTER.define(type, outer), *hidden], expose=[OUTER], **options)


@pytest.mark.promise("TOOL-06b", "D-WRK-04")
def test_its_nodes_take_no_slots_and_may_be_private() -> None:
    async def scenario() -> None:
        jobs = Jobs()

        async def body(context: ToolContext) -> dict[str, str]:
            return dict(await context.run(jobs_graph("a", "b", c="a b", node=HIDDEN), Run()))

        runtime = Runtime(workers=[_worker(jobs, body, concurrency=1)])
        call = asyncio.create_task(runtime.invoke(OUTER, Job(name="outer")))
        waiting = asyncio.create_task(runtime.invoke(OUTER, Job(name="waiting")))
        await settle()
        assert jobs.begun == ["a", "b"]
        jobs.end("b", "a")
        await settle()
        jobs.end("c")
        assert await call == {"a": "a", "b": "b", "c": "c"}
        await settle()
        jobs.end("a", "b")
        await settle()
        jobs.end("c")
        await waiting

    run(scenario())


@pytest.mark.promise("TOOL-06b", "D-GRAPH-09")
def test_its_nodes_run_on_the_callers_registration_with_its_sandbox_deadline_and_their_own_identity() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: True
        seen: list[ToolContext] = []

        async def body(context: ToolContext) -> None:
            seen.append(context)
            await context.run(jobs_graph("a", "b", name="inner", node=HIDDEN), Run())

        worker = _worker(jobs, body, resources=list)
        runtime = Runtime(workers=[worker, worker, worker], sandbox=Sandbox(tools=["a", "b"]))
        narrow = runtime.services.sandbox.narrow(tools=["a"])
        graph: Graph[Run] = Graph("outer", Run)
        graph.add("x", OUTER, job("x"))
        for registration in runtime._registrations:
            for call in (
                runtime.invoke(OUTER, Job(name="x"), worker=registration, sandbox=narrow, timeout=60),
                runtime.run(graph, Run(), sandbox=narrow, timeout=60),
            ):
                await call
                outer = seen.pop()
                for name in "ab":
                    inner = jobs.contexts[name]
                    assert inner.resources is outer.resources
                    assert (inner.worker, inner.deadline) == (outer.worker, outer.deadline)
                    assert (inner.sandbox, outer.sandbox) == (narrow, narrow)
                    assert inner.execution is not None
                    assert inner.execution == Execution(graph="inner", run=inner.execution.run, node=name)
                    assert outer.execution is None or outer.execution.run != inner.execution.run

    run(scenario())


@pytest.mark.promise("TOOL-06b")
def test_its_limit_is_its_own_and_bad_arguments_are_refused() -> None:
    async def scenario() -> None:
        jobs = Jobs()

        async def body(context: ToolContext) -> None:
            for bad in (0, True, "1"):
                with pytest.raises(InvalidInput, match="concurrency must be"):
                    await context.run(jobs_graph("a"), Run(), concurrency=bad)  # type: ignore[arg-type]
            with pytest.raises(InvalidInput, match="needs a Graph"):
                await context.run(None, Run())  # type: ignore[arg-type]
            with pytest.raises(InvalidInput, match="input must be a Run"):
                await context.run(jobs_graph("a", node=HIDDEN), "x")  # type: ignore[arg-type]
            with pytest.raises(NodeUnavailable) as refused:
                await context.run(jobs_graph("a", node=OTHER), Run())
            assert refused.value.__notes__ == ["in node 'a' of graph 'g'"]
            await context.run(jobs_graph("a", "b", "c", node=HIDDEN), Run(), concurrency=2)

        call = asyncio.create_task(Runtime(workers=[_worker(jobs, body)]).invoke(OUTER, Job(name="x")))
        await settle()
        for name in "abc":
            jobs.end(name)
            await settle()
        await call
        assert jobs.peak == 2

    run(scenario())


@pytest.mark.promise("TOOL-06b")
def test_a_context_made_by_hand_has_no_graph_to_run() -> None:
    with pytest.raises(NodeUnavailable, match="belongs to no runtime, so no graph can run"):
        run(ToolContext().run(jobs_graph("a"), Run()))


@pytest.mark.promise("D-WRK-04")
def test_a_context_refuses_once_its_handler_has_returned_and_a_run_left_behind_begins_nothing_further() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        left: list[asyncio.Task[Outputs]] = []
        contexts: list[ToolContext] = []

        async def body(context: ToolContext) -> None:
            contexts.append(context)
            graph = jobs_graph("a", b="a", node=HIDDEN)
            left.append(asyncio.create_task(context.run(graph, Run())))
            await settle()

        runtime = Runtime(workers=[_worker(jobs, body)])
        await runtime.invoke(OUTER, Job(name="x"))
        with pytest.raises(ContextClosed, match=r"context\.run"):
            await contexts[0].run(jobs_graph("a", node=HIDDEN), Run())
        jobs.end("a")
        with pytest.raises(ContextClosed, match="its handler has returned") as refused:
            await left[0]
        assert refused.value.__notes__ == ["in node 'b' of graph 'g'"]
        assert jobs.begun == ["a"]

    run(scenario())


@pytest.mark.promise("D-WRK-04", "D-WRK-14")
def test_a_run_left_behind_never_reaches_disposed_resources() -> None:
    async def scenario() -> None:
        jobs, elsewhere = Jobs(), Jobs()
        left: list[asyncio.Task[Outputs]] = []
        disposed: list[object] = []

        async def body(context: ToolContext) -> None:
            graph = jobs_graph("a", node=OTHER)
            graph.add("b", HIDDEN, job("b"), after=graph.steps)
            left.append(asyncio.create_task(context.run(graph, Run())))
            await settle()

        runtime = Runtime(workers=[Worker("U", [OTHER.define("U", elsewhere)])])
        registration = runtime.register(_worker(jobs, body, resources=object, dispose=disposed.append))
        await runtime.invoke(OUTER, Job(name="x"))
        await registration.aclose()
        assert len(disposed) == 1
        elsewhere.end("a")
        with pytest.raises(ContextClosed):
            await left[0]
        assert jobs.begun == []

    run(scenario())


@pytest.mark.promise("D-GRAPH-07", "D-GRAPH-05")
def test_cancelling_the_call_cancels_its_run_and_an_error_carries_a_note_of_each_graph() -> None:
    async def scenario() -> None:
        jobs = Jobs()

        async def body(context: ToolContext) -> Outputs:
            return await context.run(jobs_graph("a", "b", name="inner", node=HIDDEN), Run())

        runtime = Runtime(workers=[_worker(jobs, body, concurrency=1)])
        call = asyncio.create_task(runtime.invoke(OUTER, Job(name="x")))
        await settle()
        call.cancel()
        await asyncio.wait([call])
        assert call.cancelled()
        assert jobs.running == {}
        with pytest.raises(CallTimeout, match="effect is uncertain"):
            await runtime.invoke(OUTER, Job(name="x"), timeout=0.01)
        assert jobs.running == {}
        graph: Graph[Run] = Graph("outer", Run)
        graph.add("x", OUTER, job("x"))
        running = asyncio.create_task(runtime.run(graph, Run()))
        await settle()
        error = ValueError("no")
        jobs.fail("b", error)
        jobs.end("a")
        with pytest.raises(ValueError, match="no") as raised:
            await running
        assert raised.value is error
        assert error.__notes__ == ["in node 'b' of graph 'inner'", "in node 'x' of graph 'outer'"]

    run(scenario())


@pytest.mark.promise("D-WRK-05")
def test_a_run_through_the_runtime_takes_slots_and_does_not_wait_for_its_own_caller() -> None:
    async def scenario() -> None:
        jobs = Jobs()

        async def body(context: ToolContext) -> str:
            graph: Graph[Run] = Graph("g", Run)
            graph.add("x", OUTER, job("x"))
            with pytest.raises(WorkerBusy, match=r"context\.invoke") as busy:
                await runtime.run(graph, Run())
            assert busy.value.__notes__ == ["in node 'x' of graph 'g'"]
            return "refused"

        runtime = Runtime(workers=[_worker(jobs, body, concurrency=1)])
        assert await runtime.invoke(OUTER, Job(name="x")) == "refused"

    run(scenario())


@pytest.mark.promise("D-WRK-04")
def test_other_workers_are_reached_without_their_slots() -> None:
    async def scenario() -> None:
        jobs = Jobs()

        async def body(context: ToolContext) -> Outputs:
            return await context.run(jobs_graph("a", "b"), Run())

        runtime = Runtime(workers=[jobs.worker(concurrency=1), _worker(jobs, body, type="V")])
        call = asyncio.create_task(runtime.invoke(OUTER, Job(name="x")))
        await settle()
        assert jobs.begun == ["a", "b"]
        jobs.end("a", "b")
        assert len(await call) == 2

    run(scenario())
