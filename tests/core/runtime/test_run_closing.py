"""Closing while graphs run: an accepted run is a running operation, until closing runs out of patience."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import (
    CloseInsideCall,
    Graph,
    Loop,
    NodeUnavailable,
    Outputs,
    Runtime,
    RuntimeClosed,
    ToolContext,
    Worker,
)
from tests.support import run
from tests.support.jobs import JOB, OTHER, Job, Jobs, Run, job, jobs_graph
from tests.support.tools import settle


@pytest.mark.promise("LIFE-01", "D-WRK-11")
def test_closing_waits_for_a_run_and_refuses_neither_its_later_nodes_nor_those_that_wait_for_slots() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=1)])
        running = asyncio.create_task(runtime.run(jobs_graph("a", "b", c="a b"), Run()))
        await settle()
        waiting = asyncio.create_task(runtime.invoke(JOB, Job(name="waiting")))
        await settle()
        closing = asyncio.create_task(runtime.aclose())
        await settle()
        assert isinstance(waiting.exception(), RuntimeClosed)
        for name in "abc":
            assert list(jobs.running) == [name]
            assert not closing.done()
            jobs.end(name)
            await settle()
        assert dict(await running) == {"a": "a", "b": "b", "c": "c"}
        await closing

    run(scenario())


@pytest.mark.promise("D-WRK-11")
def test_a_closing_runtime_begins_no_run_and_no_loop() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker()])
        call = asyncio.create_task(runtime.invoke(JOB, Job(name="a")))
        await settle()
        closing = asyncio.create_task(runtime.aclose())
        await settle()
        loop = Loop(jobs_graph("b"), bind=lambda state: Run(), update=lambda state, out: 1, done=lambda state: True)
        for _ in range(2):
            for refused in (runtime.run(jobs_graph("b"), Run()), runtime.loop(loop, 0)):
                with pytest.raises(RuntimeClosed) as closed:
                    await refused
                assert closed.value.started is False
            if jobs.running:
                jobs.end("a")
                await asyncio.gather(call, closing)
        assert jobs.begun == ["a"]

    run(scenario())


@pytest.mark.parametrize("concurrency", [None, 1], ids=["all run", "one waits for a slot"])
@pytest.mark.parametrize("instead", [None, ValueError("clean-up failed"), "a success all the same"], ids=repr)
@pytest.mark.promise("D-WRK-12", "LIFE-01")
@pytest.mark.case("ASYNC-06")
def test_after_its_timeout_closing_interrupts_the_nodes_and_no_further_one_begins(
    concurrency: int | None, instead: Any
) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        if instead is not None:
            jobs.when_cancelled = {"a": instead, "b": instead}
        runtime = Runtime(workers=[jobs.worker(concurrency=concurrency)])
        outputs = Outputs()

        async def caller() -> str:
            with pytest.raises(RuntimeClosed) as closed:
                await runtime.run(jobs_graph("a", "b", c="a", d="b"), Run(), into=outputs)
            assert closed.value.__notes__ in (["in node 'a' of graph 'g'"], ["in node 'b' of graph 'g'"])
            await asyncio.sleep(0)
            task = asyncio.current_task()
            assert task is not None
            return f"lives on, cancelled {task.cancelling()} times"

        running = asyncio.create_task(caller())
        await settle()
        await runtime.aclose(timeout=0)
        assert await running == "lives on, cancelled 0 times"
        assert jobs.begun == (["a", "b"] if concurrency is None else ["a"])
        assert (dict(outputs), jobs.running) == ({}, {})
        assert all(isinstance(error, RuntimeClosed) for error in outputs.errors.values())

    run(scenario())


@pytest.mark.promise("D-WRK-12", "D-ERR-03")
@pytest.mark.parametrize("done_before", [False, True])
def test_a_run_of_which_a_node_has_begun_has_started_whichever_node_hears_of_closing_first(done_before: bool) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: done_before and name == "a"
        runtime = Runtime(workers=[jobs.worker(concurrency=1)])
        names = [f"n{n}" for n in range(12)]
        running = asyncio.create_task(runtime.run(jobs_graph("a", *names), Run()))
        await settle()
        await runtime.aclose(timeout=0)
        with pytest.raises(RuntimeClosed) as closed:
            await running
        assert closed.value.started is True
        assert "nothing has run" not in str(closed.value)

    run(scenario())


@pytest.mark.promise("D-WRK-13")
@pytest.mark.case("ASYNC-06")
def test_a_node_that_outlives_the_grace_is_left_and_its_run_goes_no_further() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.cleaning = {name: asyncio.get_running_loop().create_future() for name in "ab"}
        jobs.when_cancelled = {"a": "late", "b": "late"}
        runtime = Runtime(workers=[jobs.worker()])
        running = asyncio.create_task(runtime.run(jobs_graph("a", "b", c="a", d="b"), Run()))
        await settle()
        await runtime.aclose(timeout=0, grace=0)
        assert not running.done()
        for name in "ab":
            jobs.cleaning[name].set_result(None)
        with pytest.raises(RuntimeClosed, match="effect is unknown"):
            await running
        assert jobs.begun == ["a", "b"]

    run(scenario())


@pytest.mark.promise("D-WRK-12")
def test_a_cancelled_caller_stays_cancelled_while_closing_interrupts_it() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker()])
        for names in (["a"], ["a", "b"]):
            runtime = Runtime(workers=[jobs.worker()])
            running = asyncio.create_task(runtime.run(jobs_graph(*names), Run()))
            await settle()
            closing = asyncio.create_task(runtime.aclose(timeout=0))
            running.cancel()
            await closing
            await asyncio.wait([running])
            assert running.cancelled()

    run(scenario())


@pytest.mark.promise("D-WRK-15")
def test_a_node_cannot_close_the_runtime_that_waits_for_it() -> None:
    async def scenario() -> None:
        async def close(input: Job, context: ToolContext) -> str:
            with pytest.raises(CloseInsideCall):
                await runtime.aclose()
            return "refused"

        runtime = Runtime(workers=[Worker("U", [OTHER.define("U", close)])])
        assert set((await runtime.run(jobs_graph("a", "b", node=OTHER), Run())).values()) == {"refused"}
        await runtime.aclose()

    run(scenario())


@pytest.mark.promise("D-WRK-08", "D-WRK-17")
def test_a_worker_that_goes_away_ends_a_run_at_its_next_node_there() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime()
        registration = runtime.register(jobs.worker(concurrency=1))
        outputs = Outputs()
        running = asyncio.create_task(runtime.run(jobs_graph("a", "b", c="a b"), Run(), into=outputs))
        await settle()
        closing = asyncio.create_task(registration.aclose())
        await settle()
        jobs.end("a")
        await settle()
        assert list(jobs.running) == ["b"]
        jobs.end("b")
        with pytest.raises(NodeUnavailable) as gone:
            await running
        assert gone.value.__notes__ == ["in node 'c' of graph 'g'"]
        await closing
        assert (dict(outputs), list(outputs.errors)) == ({"a": "a", "b": "b"}, ["c"])

    run(scenario())


@pytest.mark.promise("LIFE-01", "D-WRK-04")
def test_a_nested_run_goes_on_while_the_runtime_drains() -> None:
    async def scenario() -> None:
        jobs = Jobs()

        async def outer(input: Job, context: ToolContext) -> str:
            return ",".join(await context.run(jobs_graph("a", "b", c="a b"), Run()))

        runtime = Runtime(workers=[Worker("U", [OTHER.define("U", outer)], concurrency=1), jobs.worker(concurrency=1)])
        call = asyncio.create_task(runtime.invoke(OTHER, Job(name="outer")))
        await settle()
        closing = asyncio.create_task(runtime.aclose())
        await settle()
        assert sorted(jobs.running) == ["a", "b"]
        jobs.end("a", "b")
        await settle()
        jobs.end("c")
        assert await call == "a,b,c"
        await closing

    run(scenario())


@pytest.mark.promise("D-WRK-12")
def test_an_interrupted_handler_takes_its_nested_run_along() -> None:
    async def scenario() -> None:
        for names in ("a", "a b"):
            jobs = Jobs()

            async def outer(input: Job, context: ToolContext, names: str = names) -> str:
                return ",".join(await context.run(jobs_graph(*names.split(), z=names), Run()))

            runtime = Runtime(workers=[Worker("U", [OTHER.define("U", outer)]), jobs.worker()])

            async def caller(runtime: Runtime = runtime) -> int:
                with pytest.raises(RuntimeClosed) as closed:
                    await runtime.invoke(OTHER, Job(name="outer"))
                assert closed.value.started is True
                task = asyncio.current_task()
                return task.cancelling() if task is not None else -1

            call = asyncio.create_task(caller())
            await settle()
            await runtime.aclose(timeout=0)
            assert await call == 0
            assert jobs.begun == names.split()

    run(scenario())


@pytest.mark.promise("D-WRK-14", "LIFE-04")
def test_resources_are_disposed_when_the_last_run_has_ended() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        disposed: list[str] = []
        worker = jobs.worker(resources=lambda: "open", dispose=disposed.append)
        runtime = Runtime(workers=[worker])
        graph: Graph[Run] = jobs_graph("a")
        graph.add("b", JOB, job("b"), after=graph.steps)
        running = asyncio.create_task(runtime.run(graph, Run()))
        await settle()
        closing = asyncio.create_task(runtime.aclose())
        for name in "ab":
            await settle()
            assert (disposed, jobs.contexts[name].resources) == ([], "open")
            jobs.end(name)
        await asyncio.gather(running, closing)
        assert disposed == ["open"]

    run(scenario())
