"""Runs of graphs: each node begins when those it waits for have ended, gets their outputs, and knows where it is."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs
import pytest

from ditto_core import (
    ACT_TOOL,
    CallFinished,
    CallStarted,
    Execution,
    Graph,
    GraphError,
    InvalidInput,
    NodeUnavailable,
    Outputs,
    PermissionDenied,
    PluginHost,
    Runtime,
    Sandbox,
    ToolContext,
    WrongEventLoop,
    hookimpl,
    interaction_worker,
)
from tests.support import run
from tests.support.jobs import HIDDEN, JOB, OTHER, Job, Jobs, Run, job, jobs_graph
from tests.support.plugins import Pack
from tests.support.tools import make_tool, settle


@pytest.mark.promise("GRAPH-01", "GRAPH-02", "GRAPH-03")
def test_a_node_begins_when_those_it_waits_for_have_ended_and_gets_their_outputs_in_order() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker()])
        graph = jobs_graph("a", "b", c="b a", d="c a")
        running = asyncio.create_task(runtime.run(graph, Run()))
        await settle()
        assert jobs.begun == ["a", "b"]
        jobs.end("a")
        await settle()
        assert jobs.begun == ["a", "b"]
        jobs.end("b")
        await settle()
        assert jobs.begun == ["a", "b", "c"]
        jobs.end("c")
        await settle()
        jobs.end("d")
        assert dict(await running) == {"a": "a", "b": "b", "c": "c", "d": "d"}
        given = {name: input.given for name, input in jobs.inputs.items()}
        assert given == {"a": (), "b": (), "c": ("b", "a"), "d": ("c", "a")}

    run(scenario())


def test_a_graph_without_nodes_gives_no_outputs() -> None:
    assert dict(run(Runtime().run(Graph("g", Run), Run()))) == {}


def test_nodes_that_do_not_wait_one_after_the_other_run_in_the_callers_task() -> None:
    async def scenario() -> None:
        tasks = []

        async def do(input: Job, context: ToolContext) -> str:
            tasks.append(asyncio.current_task())
            await asyncio.sleep(0)
            return input.name

        runtime = Runtime(workers=[jobs.worker()])
        runtime.register(type(jobs.worker())("U", [OTHER.define("U", do)]))
        await runtime.run(jobs_graph("a", b="a", c="b", node=OTHER), Run())
        assert tasks == [asyncio.current_task()] * 3

    jobs = Jobs()
    run(scenario())


@pytest.mark.promise("D-GRAPH-09")
def test_calls_know_graph_run_and_node() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: True
        runtime = Runtime(workers=[jobs.worker()])
        seen = []
        for _ in range(2):
            await runtime.run(jobs_graph("a", b="a", name="both"), Run(), timeout=60)
            executions = [jobs.contexts[name].execution for name in "ab"]
            ids = {execution.run for execution in executions if execution}
            assert len(ids) == 1
            seen += ids
            assert executions == [Execution(graph="both", run=seen[-1], node=name) for name in "ab"]
            assert jobs.contexts["a"].deadline is not None
        assert seen[0] != seen[1]

    run(scenario())


class Watching(Pack):
    """Keeps what it is told."""

    def __init__(self, *tools: Any) -> None:
        super().__init__(*tools)
        self.events: list[CallStarted | CallFinished] = []

    @hookimpl
    def ditto_call_started(self, event: CallStarted) -> None:
        self.events.append(event)

    @hookimpl
    def ditto_call_finished(self, event: CallFinished) -> None:
        self.events.append(event)


@pytest.mark.promise("D-PLUG-17b", "D-PLUG-18")
def test_observers_are_told_of_every_node_with_its_execution() -> None:
    async def scenario() -> None:
        host = PluginHost()
        watching = Watching(make_tool("echo"))
        host.register(watching, name="watching")
        runtime = Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=Sandbox(tools=["*"]))
        graph = Graph("g", Run)
        first = graph.add("a", ACT_TOOL, lambda run: {"call": {"id": "1", "name": "echo", "arguments": {}}})
        graph.add("b", ACT_TOOL, lambda run, *a: {"call": {"id": "2", "name": "no", "arguments": {}}}, after=[first])
        with pytest.raises(Exception, match="'no'"):
            await runtime.run(graph, Run())
        started = [event for event in watching.events if isinstance(event, CallStarted)]
        finished = [event for event in watching.events if isinstance(event, CallFinished)]
        assert [(event.call_id, event.execution and event.execution.node) for event in started] == [
            ("1", "a"),
            ("2", "b"),
        ]
        assert [(event.call, event.outcome) for event in finished] == [
            (started[0], "success"),
            (started[1], "refused"),
        ]

    run(scenario())


@pytest.mark.promise("D-WRK-07", "D-GRAPH-05")
def test_a_node_that_nobody_offers_refuses_the_run_before_anything_has_run() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker()])
        for node in (OTHER, HIDDEN, "X.Y"):
            graph = jobs_graph("a")
            graph.add("missing", node, job("missing"), after=graph.steps)  # type: ignore[call-overload]
            with pytest.raises(NodeUnavailable) as refused:
                await runtime.run(graph, Run())
            assert refused.value.__notes__ == ["in node 'missing' of graph 'g'"]
        assert jobs.log == []

    run(scenario())


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((None, Run()), "A run: needs a Graph, not None"),
        (("g", Run()), "A run: needs a Graph, not a str"),
        ((jobs_graph("a"), {"text": ""}), "Graph 'g': the input must be a Run, not a dict"),
        ((jobs_graph("a"), None), "Graph 'g': the input must be a Run, not None"),
        ((jobs_graph("a"), Run), "Graph 'g': the input must be a Run, not a type"),
    ],
)
def test_a_run_needs_a_graph_and_its_input(arguments: tuple[Any, Any], problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        run(Runtime().run(*arguments))


@pytest.mark.parametrize(
    "options",
    [{"concurrency": value} for value in (0, -1, True, 1.5, "8")]
    + [{"timeout": value} for value in (0, -1, True, "1", float("nan"), float("inf"))]
    + [{"sandbox": "all"}, {"into": {}}, {"into": Outputs}],
    ids=str,
)
@pytest.mark.case("ASYNC-08")
def test_a_bad_option_is_refused_and_nothing_runs(options: dict[str, Any]) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        with pytest.raises(InvalidInput, match=next(iter(options))):
            await Runtime(workers=[jobs.worker()]).run(jobs_graph("a"), Run(), **options)
        assert jobs.log == []

    run(scenario())


def test_a_subclass_of_the_input_will_do() -> None:
    @attrs.frozen
    class More(Run):
        more: int = 1

    jobs = Jobs()
    jobs.at_once = lambda name: True
    assert dict(run(Runtime(workers=[jobs.worker()]).run(jobs_graph("a"), More()))) == {"a": "a"}


@pytest.mark.promise("D-WRK-01", "D-GRAPH-03")
def test_a_binder_may_give_the_nodes_input_as_json() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: True
        graph = Graph("g", Run)
        graph.add("a", "T.JOB", lambda run: {"name": run.text})
        await Runtime(workers=[jobs.worker()]).run(graph, Run("x"))
        assert jobs.inputs == {"x": Job(name="x")}
        for wrong in ({"nam": "x"}, {"name": 3}, None, [], Run()):
            graph = Graph("g", Run)
            graph.add("a", JOB, lambda run, wrong=wrong: wrong)
            outputs = Outputs()
            with pytest.raises(InvalidInput, match=r"^Node 'T\.JOB': ") as refused:
                await Runtime(workers=[jobs.worker()]).run(graph, Run(), into=outputs)
            assert refused.value.__notes__ == ["in node 'a' of graph 'g'"]
            assert outputs.errors == {"a": refused.value}
        assert jobs.begun == ["x"]

    run(scenario())


def test_a_binder_that_gives_a_coroutine_is_refused_and_the_coroutine_closed() -> None:
    async def late() -> Job:
        raise AssertionError

    graph = Graph("g", Run)
    graph.add("a", JOB, lambda run: late())
    with pytest.raises(GraphError, match="Node 'a' of graph 'g': its function gave a coroutine"):
        run(Runtime(workers=[Jobs().worker()]).run(graph, Run()))


@pytest.mark.promise("D-GRAPH-09")
def test_a_sandbox_may_permit_less_and_never_more() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        jobs.at_once = lambda name: True
        wide = Sandbox(tools=["a", "b"])
        runtime = Runtime(workers=[jobs.worker()], sandbox=wide)
        narrow = wide.narrow(tools=["a"])
        await runtime.run(jobs_graph("x"), Run(), sandbox=narrow)
        assert jobs.contexts["x"].sandbox is narrow
        await runtime.run(jobs_graph("y"), Run())
        assert jobs.contexts["y"].sandbox is wide
        with pytest.raises(PermissionDenied, match=r"^Runtime\.run: the call's sandbox permits more"):
            await runtime.run(jobs_graph("z"), Run(), sandbox=Sandbox(tools=["*"]))
        assert jobs.begun == ["x", "y"]

    run(scenario())


@pytest.mark.promise("D-WRK-16")
def test_a_run_belongs_to_the_runtimes_event_loop() -> None:
    runtime = Runtime()
    run(runtime.run(Graph("g", Run), Run()))
    with pytest.raises(WrongEventLoop):
        run(runtime.run(Graph("g", Run), Run()))


def test_one_graph_runs_many_times_at_once_and_a_node_added_meanwhile_belongs_to_later_runs() -> None:
    async def scenario() -> None:
        runtime = Runtime()
        gate = asyncio.Event()

        async def do(input: Job, context: ToolContext) -> str:
            await gate.wait()
            return input.name

        runtime.register(type(Jobs().worker())("U", [OTHER.define("U", do)]))
        graph: Graph[Run] = Graph("g", Run)
        first = graph.add("a", OTHER, lambda run: Job(name=run.text))
        graph.add("b", OTHER, lambda run, a: Job(name=a + a), after=[first])
        runs = [asyncio.create_task(runtime.run(graph, Run(str(n)))) for n in range(20)]
        await settle()
        graph.add("c", OTHER, lambda run: Job(name="c"))
        gate.set()
        for n, outputs in enumerate(await asyncio.gather(*runs)):
            assert dict(outputs) == {"a": str(n), "b": 2 * str(n)}
        assert dict(await runtime.run(graph, Run("1"))) == {"a": "1", "b": "11", "c": "c"}

    run(scenario())


@pytest.mark.parametrize("factory", ["eager_task_factory", None])
def test_a_run_gets_along_with_eager_tasks(factory: str | None) -> None:
    async def scenario() -> None:
        asyncio.get_running_loop().set_task_factory(getattr(asyncio, factory or "", None))
        jobs = Jobs()
        jobs.at_once = lambda name: name in "ace"
        running = asyncio.ensure_future(
            Runtime(workers=[jobs.worker(concurrency=2)]).run(jobs_graph("a", "b", "c", d="b c", e="d"), Run())
        )
        await settle()
        jobs.end("b")
        await settle()
        jobs.end("d")
        assert dict(await running) == {name: name for name in "abcde"}

    run(scenario())
