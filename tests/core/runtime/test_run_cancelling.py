"""Cancelling a run cancels the nodes that run, waits for them, and ends in a cancellation, however they take it."""

from __future__ import annotations

import asyncio

import pytest

from ditto_core import Outputs, Runtime, ToolContext, Worker
from tests.support import run
from tests.support.jobs import JOB, OTHER, Job, Jobs, Run, jobs_graph
from tests.support.tools import settle


@pytest.mark.promise("D-GRAPH-07")
@pytest.mark.case("ASYNC-01")
def test_cancelling_a_run_cancels_every_node_and_begins_none() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        outputs = Outputs()
        before = asyncio.all_tasks()
        graph = jobs_graph("a", "b", "c", d="a")
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(graph, Run(), into=outputs))
        await settle()
        jobs.end("a")
        await settle()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (dict(outputs), sorted(outputs.errors)) == ({"a": "a"}, ["b", "c", "d"])
        assert all(isinstance(error, asyncio.CancelledError) for error in outputs.errors.values())
        assert jobs.running == {}
        assert asyncio.all_tasks() == before

    run(scenario())


@pytest.mark.parametrize("slow", ["a", "b"])
@pytest.mark.promise("D-GRAPH-07")
def test_all_nodes_hear_of_it_at_once_and_the_run_waits_for_the_slow_one(slow: str) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.cleaning[slow] = asyncio.get_running_loop().create_future()
        graph = jobs_graph("a", "b", c="a", d="b")
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(graph, Run()))
        await settle()
        running.cancel()
        await settle()
        assert {"!a", "!b"} <= set(jobs.log)
        assert not running.done()
        jobs.cleaning[slow].set_result(None)
        await asyncio.wait([running])
        assert running.cancelled()
        assert jobs.begun == ["a", "b"]

    run(scenario())


@pytest.mark.parametrize("names", [["a"], ["b"], ["a", "b"]], ids="".join)
@pytest.mark.parametrize("instead", [ValueError("clean-up failed"), "a success all the same", TimeoutError("late")])
@pytest.mark.promise("D-GRAPH-07", "RUN-02")
@pytest.mark.case("ASYNC-01", "ASYNC-06")
def test_it_ends_in_a_cancellation_whatever_nodes_make_of_it(names: list[str], instead: BaseException | str) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.when_cancelled = dict.fromkeys(names, instead)
        outputs = Outputs()
        graph = jobs_graph("a", "b", c="a", d="b")
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(graph, Run(), into=outputs))
        await settle()
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        assert (dict(outputs), jobs.begun) == ({}, ["a", "b"])

    run(scenario())


@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.promise("D-GRAPH-07")
def test_a_second_cancellation_reaches_the_clean_up(chain: bool) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        names = ["a"] if chain else ["a", "b"]
        jobs.cleaning = {name: asyncio.get_running_loop().create_future() for name in names}
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(jobs_graph(*names), Run()))
        await settle()
        running.cancel()
        await settle()
        assert (jobs.log[-len(names) :], running.done()) == ([f"!{name}" for name in names], False)
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        assert all(future.cancelled() for future in jobs.cleaning.values())
        assert jobs.running == {}

    run(scenario())


@pytest.mark.promise("D-GRAPH-07")
def test_a_run_that_waits_for_slots_leaves_the_lines() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=1)])
        running = asyncio.create_task(runtime.run(jobs_graph("a", "b", "c"), Run()))
        await settle()
        behind = asyncio.create_task(runtime.invoke(JOB, Job(name="behind")))
        await settle()
        running.cancel()
        await settle()
        assert running.cancelled()
        assert jobs.begun == ["a", "behind"]
        jobs.end("behind")
        await behind

    run(scenario())


@pytest.mark.promise("D-GRAPH-05")
@pytest.mark.case("ASYNC-01")
def test_a_node_that_raises_a_cancellation_by_itself_ends_the_run_in_one() -> None:
    async def scenario() -> None:
        for failing in "ab":
            jobs = Jobs()
            outputs = Outputs()
            running = asyncio.create_task(
                Runtime(workers=[jobs.worker()]).run(jobs_graph("a", "b"), Run(), into=outputs)
            )
            await settle()
            jobs.fail(failing, asyncio.CancelledError())
            await settle()
            assert not running.done()
            jobs.end(*jobs.running)
            await asyncio.wait([running])
            assert running.cancelled()
            assert (len(outputs), list(outputs.errors)) == (1, [failing])

    run(scenario())


@pytest.mark.promise("D-GRAPH-07")
def test_a_timeout_inside_one_node_cancels_no_other() -> None:
    async def scenario() -> None:
        release = asyncio.Event()
        timed_out = asyncio.Event()
        cancelled = []

        async def do(input: Job, context: ToolContext) -> str:
            try:
                if input.name == "a":
                    try:
                        async with asyncio.timeout(0):
                            await asyncio.Event().wait()
                    except TimeoutError:
                        timed_out.set()
                await release.wait()
            except asyncio.CancelledError:
                cancelled.append(input.name)
                raise
            return input.name

        runtime = Runtime(workers=[Worker("U", [OTHER.define("U", do)])])
        running = asyncio.create_task(runtime.run(jobs_graph("a", "b", "c", node=OTHER), Run()))
        await timed_out.wait()
        await settle()
        assert cancelled == []
        release.set()
        assert len(await running) == 3

    run(scenario())


@pytest.mark.promise("D-GRAPH-07")
def test_a_run_cancelled_before_its_first_step_runs_nothing() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(jobs_graph("a", "b"), Run()))
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        assert jobs.log == []

    run(scenario())
