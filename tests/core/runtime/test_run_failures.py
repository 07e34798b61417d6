"""A node that fails: no further one begins, the running ones end, and the first error comes out as it is."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    CallTimeout,
    Graph,
    InteractionError,
    Outputs,
    Runtime,
    Sandbox,
    ToolContext,
    ToolOutcome,
    interaction_worker,
)
from tests.support import run
from tests.support.jobs import JOB, Job, Jobs, Run, job, jobs_graph
from tests.support.tools import make_tool, settle


@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    """Takes no note."""

    code: int = 1


class Unwilling(Exception):
    def add_note(self, note: str) -> None:
        raise RuntimeError


@pytest.mark.promise("D-GRAPH-05", "D-GRAPH-06")
def test_the_first_error_comes_out_when_the_running_nodes_have_ended() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker()])
        outputs = Outputs()
        graph = jobs_graph("a", "b", "c", d="a", e="c")
        running = asyncio.create_task(runtime.run(graph, Run(), into=outputs))
        await settle()
        first, second = ValueError("first"), ValueError("second")
        jobs.fail("b", first)
        await settle()
        jobs.end("a")
        await settle()
        assert not running.done()
        jobs.fail("c", second)
        with pytest.raises(ValueError, match="first") as raised:
            await running
        assert raised.value is first
        assert first.__notes__ == ["in node 'b' of graph 'g'"]
        assert (dict(outputs), outputs.errors) == ({"a": "a"}, {"b": first, "c": second})
        assert jobs.begun == ["a", "b", "c"]

    run(scenario())


@pytest.mark.parametrize("failing", ["a", "b"])
@pytest.mark.promise("D-GRAPH-05")
def test_a_node_that_waits_for_a_slot_does_not_begin_after_a_failure(failing: str) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=2)])
        outputs = Outputs()
        running = asyncio.create_task(runtime.run(jobs_graph("a", "b", "c", "d"), Run(), into=outputs))
        await settle()
        assert jobs.begun == ["a", "b"]
        jobs.fail(failing, ValueError("x"))
        await settle()
        assert jobs.begun == ["a", "b"]
        jobs.end("b" if failing == "a" else "a")
        with pytest.raises(ValueError, match="x"):
            await running
        assert (jobs.begun, list(outputs.errors)) == (["a", "b"], [failing])
        later = [asyncio.create_task(runtime.invoke(JOB, Job(name=name))) for name in "xyz"]
        await settle()
        assert jobs.begun == ["a", "b", "x", "y"]
        jobs.end("x", "y")
        await settle()
        jobs.end("z")
        assert await asyncio.gather(*later) == ["x", "y", "z"]

    run(scenario())


@pytest.mark.parametrize("place", ["first", "beside"])
@pytest.mark.parametrize(
    "error", [Frozen(), Unwilling(), KeyboardInterrupt(), GeneratorExit(), SystemExit(3)], ids=repr
)
@pytest.mark.promise("D-GRAPH-05")
def test_an_error_of_any_kind_is_no_success(place: str, error: BaseException) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: name == "other"

        def boom(run: Run) -> Job:
            raise error

        graph = Graph("g", Run)
        graph.add("a", JOB, boom if place == "first" else job("a"))
        graph.add("b", JOB, job("other") if place == "first" else boom)
        outputs = Outputs()

        async def caller() -> None:
            with pytest.raises(type(error)) as raised:
                await Runtime(workers=[jobs.worker()]).run(graph, Run(), into=outputs)
            assert raised.value is error

        running = asyncio.create_task(caller())
        await settle()
        if "a" in jobs.running:
            jobs.end("a")
        await running
        assert list(outputs.errors.values()) == [error]

    run(scenario())


@pytest.mark.promise("GRAPH-04")
def test_what_a_binder_raises_ends_the_run_and_nothing_that_waits_for_it_begins() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: True
        error = LookupError("no")

        def boom(run: Run, a: str) -> Job:
            raise error

        graph = jobs_graph("a")
        second = graph.add("b", JOB, boom, after=graph.steps)
        graph.add("c", JOB, job("c"), after=[second])
        outputs = Outputs()
        with pytest.raises(LookupError) as raised:
            await Runtime(workers=[jobs.worker()]).run(graph, Run(), into=outputs)
        assert raised.value is error
        assert error.__notes__ == ["in node 'b' of graph 'g'"]
        assert (dict(outputs), outputs.errors, jobs.begun) == ({"a": "a"}, {"b": error}, ["a"])

    run(scenario())


@pytest.mark.promise("D-GRAPH-05")
def test_a_failed_status_is_a_result_and_no_error() -> None:
    async def scenario() -> None:
        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            return ToolOutcome(status="failed", error=InteractionError(code="NOT_FOUND", message="no such file"))

        worker = interaction_worker(tools=[make_tool("t", execute)])
        graph: Graph[Run] = Graph("g", Run)
        step = graph.add("a", ACT_TOOL, lambda run: {"call": {"id": "1", "name": "t", "arguments": {}}})
        outputs = await Runtime(workers=[worker], sandbox=Sandbox(tools=["t"])).run(graph, Run())
        assert outputs[step].status == "failed"
        assert outputs.errors == {}

    run(scenario())


@pytest.mark.promise("D-GRAPH-09", "D-WRK-10")
def test_a_timeout_covers_the_whole_run_and_cancels_what_runs() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: name == "a"
        outputs = Outputs()
        with pytest.raises(CallTimeout, match=r"^Graph 'g': the run did not end within 0\.01 s; it had begun") as late:
            await Runtime(workers=[jobs.worker()]).run(jobs_graph("a", "b", c="a"), Run(), timeout=0.01, into=outputs)
        assert late.value.started is True
        assert dict(outputs) == {"a": "a"}
        assert (sorted(outputs.errors), jobs.running) == (["b", "c"], {})
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0

    run(scenario())


@pytest.mark.promise("D-GRAPH-09", "D-ERR-03")
def test_a_timeout_while_all_nodes_wait_for_slots_says_that_nothing_has_run() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=1)])
        other = asyncio.create_task(runtime.invoke(JOB, Job(name="other")))
        await settle()
        for graph in (jobs_graph("a"), jobs_graph("a", "b")):
            with pytest.raises(CallTimeout, match="nothing has run") as late:
                await runtime.run(graph, Run(), timeout=0.01)
            assert late.value.started is False
        jobs.end("other")
        await other
        assert jobs.begun == ["other"]

    run(scenario())


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.promise("D-WRK-10")
def test_a_node_that_makes_an_error_of_the_timeouts_cancellation_does_not_hide_the_timeout(beside: bool) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.when_cancelled = {"a": ValueError("clean-up failed")}
        outputs = Outputs()
        graph = jobs_graph("a", "b") if beside else jobs_graph("a")
        with pytest.raises(CallTimeout):
            await Runtime(workers=[jobs.worker()]).run(graph, Run(), timeout=0.01, into=outputs)
        assert isinstance(outputs.errors["a"], ValueError)

    run(scenario())


@pytest.mark.promise("D-WRK-10")
def test_a_timeout_error_of_a_nodes_own_is_not_the_runs() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(jobs_graph("a", "b"), Run(), timeout=60))
        await settle()
        jobs.fail("b", TimeoutError("mine"))
        jobs.end("a")
        with pytest.raises(TimeoutError, match="mine") as raised:
            await running
        assert not isinstance(raised.value, CallTimeout)

    run(scenario())
