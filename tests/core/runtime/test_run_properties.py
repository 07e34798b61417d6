"""Graphs of any shape, whose nodes end, fail and are cancelled in any order, beside a model of a few lines."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import Graph, Node, Outputs, Runtime, Step, ToolContext, Worker
from tests.support import run
from tests.support.jobs import HIDDEN, JOB, Job, Jobs, Run
from tests.support.tools import settle

LIMITS = st.none() | st.integers(1, 4)
OUTER: Node[Job, Any] = Node("T.OUTER", Job, object)


class Boom(Exception):
    """What a node raises when the test says so."""


@attrs.frozen
class Shape:
    """Whom each node waits for, which nodes never wait, and which have a binder that raises."""

    after: list[list[int]]
    at_once: set[int]
    broken: set[int]

    def names(self) -> list[str]:
        return [f"n{index}" for index in range(len(self.after))]


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    size = draw(st.integers(1, 9))
    index = st.integers(0, size - 1)
    after = [draw(st.lists(st.integers(0, i - 1), max_size=2)) if i else [] for i in range(size)]
    broken = {draw(index)} if draw(st.integers(0, 5)) == 5 else set[int]()
    return Shape(after, draw(st.sets(index, max_size=2)), broken)


class Model:
    """What has ended, and with what; it looks on while nodes begin."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.jobs = Jobs()
        self.jobs.at_once = lambda name: int(name[1:]) in shape.at_once
        self.wrong: list[str] = []
        self.first_error: BaseException | None = None
        self.stopped = False
        """Whether a cancellation has had the time to arrive."""

    async def __call__(self, input: Job, context: ToolContext) -> str:
        if self.first_error is not None or self.stopped:
            self.wrong.append(f"{input.name} began too late")
        return await self.jobs(input, context)

    def bind(self, index: int, run: Run, *given: str) -> Job:
        name, after = f"n{index}", [f"n{other}" for other in self.shape.after[index]]
        if given != tuple(after) or not all(f"-{other}" in self.jobs.log for other in after):
            self.wrong.append(f"{name} began with {given}")
        if index in self.shape.broken:
            self.first_error = Boom(name)
            raise self.first_error
        return Job(name=name, given=given)

    def graph(self, node: Node[Job, str]) -> Graph[Run]:
        graph: Graph[Run] = Graph("g", Run)
        steps: list[Step[str]] = []
        for index, after in enumerate(self.shape.after):
            waits_for = [steps[other] for other in after]
            steps.append(graph.add(f"n{index}", node, partial(self.bind, index), after=waits_for))
        return graph

    def ready(self) -> list[str]:
        """Return the nodes that have not begun although all that they wait for has ended."""
        ended = {line[1:] for line in self.jobs.log if line[0] == "-"}
        return [
            name
            for name, after in zip(self.shape.names(), self.shape.after, strict=True)
            if name not in self.jobs.begun and {f"n{other}" for other in after} <= ended
        ]


@given(st.data(), shapes(), LIMITS, LIMITS, st.booleans())
@pytest.mark.promise("GRAPH-02", "D-GRAPH-05", "D-GRAPH-06", "D-GRAPH-07", "COMP-08")
def test_a_run_does_what_the_model_says(
    data: st.DataObject, shape: Shape, of_run: int | None, of_worker: int | None, nested: bool
) -> None:
    async def scenario() -> None:
        model = Model(shape)
        jobs, outputs = model.jobs, Outputs()
        limit = min(of_run or 99, 99 if nested else of_worker or 99)

        async def outer(input: Job, context: ToolContext) -> Outputs:
            inner = await context.run(graph, Run(), concurrency=of_run)
            assert not inner.errors
            return inner

        nodes = [JOB.define("T", model), HIDDEN.define("T", model), OUTER.define("T", outer)]
        runtime = Runtime(workers=[Worker("T", nodes, expose=[JOB, OUTER], concurrency=of_worker)])
        graph = model.graph(HIDDEN if nested else JOB)
        before = asyncio.all_tasks()
        running: asyncio.Task[Any] = (
            asyncio.create_task(runtime.invoke(OUTER, Job(name="outer")))
            if nested
            else asyncio.create_task(runtime.run(graph, Run(), concurrency=of_run, into=outputs))
        )
        await settle()
        cancelled = False
        while not running.done():
            if model.first_error is None and not cancelled:
                assert len(jobs.running) == min(limit, len(jobs.running) + len(model.ready()))
            assert jobs.running
            for _ in range(data.draw(st.integers(1, 3))):  # more than one thing may happen in the same step
                waiting = [name for name, future in jobs.running.items() if not future.done()]
                action = data.draw(st.sampled_from(["end"] * 8 + ["fail"] * 3 + ["cancel"]))
                if action == "cancel":
                    running.cancel()
                    cancelled = True
                elif waiting:
                    name = data.draw(st.sampled_from(waiting))
                    if action == "end":
                        jobs.end(name)
                    else:
                        _fail(model, name)
            await settle()
            model.stopped = cancelled
            assert running.done() or not cancelled
        _judge(model, running, outputs, cancelled=cancelled, nested=nested)
        registration = runtime._registrations[0]
        assert (registration.calls, registration._claims, bool(runtime.runs)) == (set(), 0, False)
        assert asyncio.all_tasks() == before
        assert jobs.peak <= limit

    run(scenario())


def _fail(model: Model, name: str) -> None:
    """Let a node raise, and the model know when it does."""
    error = Boom(name)

    def noted(future: asyncio.Future[str]) -> None:
        if not future.cancelled() and model.first_error is None:
            model.first_error = error

    model.jobs.running[name].add_done_callback(noted)
    model.jobs.fail(name, error)


def _judge(model: Model, running: asyncio.Task[Any], outputs: Outputs, *, cancelled: bool, nested: bool) -> None:
    assert model.wrong == []
    begun = set(model.jobs.begun)
    if cancelled:
        assert running.cancelled()
    elif model.first_error is not None:
        error = running.exception()
        assert isinstance(error, Boom)
        assert error.__notes__ == [f"in node {error.args[0]!r} of graph 'g'"]
        assert error is model.first_error
    else:
        assert dict(running.result()) == {name: name for name in model.shape.names()}
    if not nested:
        broken = {f"n{index}" for index in model.shape.broken}
        assert not set(outputs) & set(outputs.errors)
        assert begun - broken == (set(outputs) | set(outputs.errors)) - broken
        assert all(value == name for name, value in outputs.items())
