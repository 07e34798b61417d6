"""Loops: from a state to the next, until the loop is done or has had its iterations."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    CallTimeout,
    Graph,
    GraphError,
    InvalidInput,
    Loop,
    LoopExhausted,
    NodeUnavailable,
    Outputs,
    PermissionDenied,
    Runtime,
    RuntimeClosed,
    Sandbox,
)
from tests.support import run
from tests.support.jobs import JOB, Job, Jobs, Run, jobs_graph
from tests.support.tools import settle


def _loop(graph: Any = None, *, until: int = 3, **changed: Any) -> Loop[int]:
    """Return a loop that counts up and runs one job named after the state."""
    if graph is None:
        graph = Graph("g", Run)
        graph.add("a", JOB, lambda run: Job(name=run.text))
    functions: dict[str, Any] = {
        "bind": lambda state: Run(str(state)),
        "update": lambda state, outputs: state + 1,
        "done": lambda state: state >= until,
    }
    return Loop(graph, **functions | changed)


def _quick() -> tuple[Jobs, Runtime]:
    jobs = Jobs()
    jobs.at_once = lambda name: True
    return jobs, Runtime(workers=[jobs.worker()])


@pytest.mark.promise("LOOP-01")
def test_each_iteration_runs_the_graph_for_the_state_and_makes_the_next() -> None:
    async def scenario() -> None:
        jobs, runtime = _quick()
        seen: list[dict[str, str]] = []

        def update(state: int, outputs: Outputs) -> int:
            seen.append(dict(outputs))
            return state + 1

        assert await runtime.loop(_loop(update=update), 0) == 3
        assert (jobs.begun, seen) == (["0", "1", "2"], [{"a": "0"}, {"a": "1"}, {"a": "2"}])

    run(scenario())


@pytest.mark.promise("LOOP-01")
def test_a_loop_runs_at_least_once() -> None:
    jobs, runtime = _quick()
    assert run(runtime.loop(_loop(until=0), 5)) == 6
    assert jobs.begun == ["5"]


@given(limit=st.integers(1, 40), until=st.integers(-2, 60))
@pytest.mark.promise("LOOP-03", "D-GRAPH-08")
def test_a_loop_runs_its_graph_as_often_as_it_may_and_then_tells_its_last_state(limit: int, until: int) -> None:
    async def scenario() -> None:
        jobs, runtime = _quick()
        needed = max(1, until)
        loop = runtime.loop(_loop(until=until, max_iterations=limit), 0)
        if needed <= limit:
            assert await loop == needed
        else:
            with pytest.raises(LoopExhausted, match=rf"over 'g' was not done after {limit} iterations") as exhausted:
                await loop
            assert exhausted.value.state == limit
        assert len(jobs.begun) == min(needed, limit)

    run(scenario())


@pytest.mark.promise("D-GRAPH-08")
def test_without_a_limit_of_its_own_a_loop_has_32_iterations() -> None:
    jobs, runtime = _quick()
    with pytest.raises(LoopExhausted, match="after 32 iterations") as exhausted:
        run(runtime.loop(_loop(until=100), 0))
    assert (exhausted.value.state, len(jobs.begun)) == (32, 32)


def test_a_state_is_never_copied_and_may_be_anything() -> None:
    _, runtime = _quick()
    state = [object()]
    loop: Loop[Any] = Loop(
        jobs_graph("a"), bind=lambda state: Run(), update=lambda state, outputs: state, done=lambda state: True
    )
    assert run(runtime.loop(loop, state)) is state


@pytest.mark.parametrize("function", ["bind", "update", "done", "graph"])
@pytest.mark.promise("LOOP-01")
def test_what_its_functions_raise_ends_it_unchanged(function: str) -> None:
    async def scenario() -> None:
        error = LookupError("no")

        def boom(*all: Any) -> Any:
            raise error

        _, runtime = _quick()
        with pytest.raises(LookupError) as raised:
            await runtime.loop(_loop(**{function: boom}), 0)
        assert raised.value is error
        over = "graphs of its choice" if function == "graph" else "'g'"
        assert error.__notes__ == [f"in iteration 1 of the loop over {over}"]

    run(scenario())


@pytest.mark.parametrize("function", ["bind", "update", "done", "graph"])
@pytest.mark.promise("LOOP-01", "D-GRAPH-04")
def test_a_function_that_gives_a_coroutine_is_refused_and_the_coroutine_closed(function: str) -> None:
    async def late() -> Any:
        raise AssertionError

    _, runtime = _quick()
    with pytest.raises((GraphError, InvalidInput), match="coroutine"):
        run(runtime.loop(_loop(**{function: lambda *all: late()}), 0))


@pytest.mark.promise("D-GRAPH-05")
def test_a_nodes_error_ends_it_and_names_the_node() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: name == "0"
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).loop(_loop(), 0))
        await settle()
        jobs.fail("1", ValueError("no"))
        with pytest.raises(ValueError, match="no") as raised:
            await running
        assert raised.value.__notes__ == ["in node 'a' of graph 'g'", "in iteration 2 of the loop over 'g'"]
        assert jobs.begun == ["0", "1"]

    run(scenario())


def test_a_graph_may_be_chosen_for_each_state() -> None:
    jobs, runtime = _quick()
    assert run(runtime.loop(_loop(lambda state: jobs_graph(f"{'even' if state % 2 == 0 else 'odd'}{state}")), 0)) == 3
    assert jobs.begun == ["even0", "odd1", "even2"]
    with pytest.raises(GraphError, match="must return a Graph, not a str"):
        run(_quick()[1].loop(_loop(lambda state: "g"), 0))
    with pytest.raises(LoopExhausted, match="The loop over graphs of its choice"):
        run(_quick()[1].loop(_loop(lambda state: jobs_graph("a"), until=100, max_iterations=1), 0))


@pytest.mark.parametrize("loop", [None, jobs_graph("a"), "loop"], ids=["none", "graph", "str"])
def test_what_is_no_loop_is_refused(loop: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^Runtime\.loop: needs a Loop, not "):
        run(Runtime().loop(loop, 0))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"concurrency": 0}, InvalidInput),
        ({"timeout": -1}, InvalidInput),
        ({"sandbox": "all"}, InvalidInput),
        ({"sandbox": Sandbox(tools=["*"])}, PermissionDenied),
    ],
    ids=str,
)
def test_a_bad_option_is_refused_and_nothing_runs(options: dict[str, Any], error: type[Exception]) -> None:
    jobs, runtime = _quick()
    with pytest.raises(error, match=r"^Runtime\.loop: "):
        run(runtime.loop(_loop(), 0, **options))
    assert jobs.log == []


def test_a_loops_input_and_nodes_are_checked_as_a_runs() -> None:
    jobs, runtime = _quick()
    with pytest.raises(InvalidInput, match="the input must be a Run, not an int"):
        run(runtime.loop(_loop(bind=lambda state: state), 0))
    with pytest.raises(NodeUnavailable):
        run(Runtime().loop(_loop(), 0))
    assert jobs.log == []


@pytest.mark.promise("LOOP-01")
def test_other_tasks_get_their_turn_between_iterations_that_never_wait() -> None:
    async def scenario() -> None:
        _, runtime = _quick()
        turns: list[int] = []
        running = asyncio.create_task(runtime.loop(_loop(until=10_000, max_iterations=100_000), 0))
        for turn in range(50):
            await asyncio.sleep(0)
            turns.append(turn)
        assert not running.done()
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()

    run(scenario())


@pytest.mark.promise("D-GRAPH-07", "D-GRAPH-09")
def test_cancelling_and_a_timeout_end_it_in_the_middle() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: name == "0"
        runtime = Runtime(workers=[jobs.worker()])
        running = asyncio.create_task(runtime.loop(_loop(), 0))
        await settle()
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        with pytest.raises(CallTimeout, match=r"^The loop did not end within 0\.01 s; it had begun") as late:
            await runtime.loop(_loop(), 0, timeout=0.01)
        assert late.value.started is True
        assert jobs.running == {}

    run(scenario())


@pytest.mark.promise("D-GRAPH-09", "D-ERR-03")
def test_a_timeout_before_its_first_node_begins_says_that_nothing_has_run() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=1)])
        other = asyncio.create_task(runtime.invoke(JOB, Job(name="other")))
        await settle()
        with pytest.raises(CallTimeout, match="nothing has run") as late:
            await runtime.loop(_loop(), 0, timeout=0.01)
        assert late.value.started is False
        jobs.end("other")
        await other

    run(scenario())


@pytest.mark.promise("LIFE-01", "D-WRK-12")
def test_closing_lets_a_loop_finish_and_interrupts_one_that_does_not() -> None:
    async def scenario() -> None:
        _, runtime = _quick()
        running = asyncio.create_task(runtime.loop(_loop(until=5), 0))
        await asyncio.sleep(0)
        await runtime.aclose()
        assert await running == 5

        jobs, runtime = _quick()
        running = asyncio.create_task(runtime.loop(_loop(until=10**9, max_iterations=10**9), 0))
        await settle()
        await runtime.aclose(timeout=0)
        with pytest.raises(RuntimeClosed) as closed:
            await running
        assert closed.value.started is True
        begun = len(jobs.begun)
        await settle()
        assert len(jobs.begun) == begun

    run(scenario())


def test_one_loop_runs_many_times_at_once() -> None:
    async def scenario() -> None:
        jobs, runtime = _quick()
        loop = _loop()
        assert await asyncio.gather(*[runtime.loop(loop, start) for start in (0, 1, 2, 7)]) == [3, 3, 3, 8]
        assert len(jobs.begun) == 7

    run(scenario())
