"""Outputs are found by step and by id, and say what is missing and why."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import InvalidValue, Outputs, Runtime
from tests.support import run
from tests.support.jobs import Jobs, Run, jobs_graph
from tests.support.tools import settle


@pytest.mark.promise("GRAPH-03", "D-GRAPH-02")
def test_outputs_are_found_by_step_and_by_id_in_the_order_in_which_nodes_ended() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        graph = jobs_graph("a", "b", "c")
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(graph, Run()))
        await settle()
        for name in "bca":
            jobs.end(name)
            await settle()
        outputs = await running
        first = graph.steps[0]
        assert (outputs[first], outputs["a"]) == ("a", "a")
        assert list(outputs) == ["b", "c", "a"]
        assert dict(outputs) == {"a": "a", "b": "b", "c": "c"}
        assert (first in outputs, "b" in outputs, "z" in outputs, len(outputs)) == (True, True, False, 3)
        assert repr(outputs) == "Outputs('b', 'c', 'a')"
        assert outputs.errors == {}

    run(scenario())


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("z", "The graph has no node 'z'. It has 'a', 'b', 'c'."),
        ("x\ny", "The graph has no node 'x\\ny'"),
        (3, "Outputs are found by a step or by its id, not by an int."),
        (None, "not by None"),
        ([], "not by a list"),
        ("b", "Node 'b' has no output: it raised an error, see errors."),
        ("c", "Node 'c' has no output: it has not ended."),
        (jobs_graph("a").steps[0], "This step 'a' belongs to another graph than the one that ran."),
        (jobs_graph("z").steps[0], "The graph has no node 'z'"),
    ],
    ids=lambda value: "" if isinstance(value, str) else type(value).__name__,
)
def test_a_missing_output_says_why(key: Any, why: str) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        outputs = Outputs()
        graph = jobs_graph("a", b="a", c="b")
        running = asyncio.create_task(Runtime(workers=[jobs.worker()]).run(graph, Run(), into=outputs))
        await settle()
        jobs.end("a")
        await settle()
        jobs.fail("b", ValueError())
        with pytest.raises(ValueError):  # noqa: PT011 - its own
            await running
        with pytest.raises(KeyError) as missing:
            outputs[key]
        assert why in missing.value.args[0]
        assert key not in outputs

    run(scenario())


def test_outputs_of_no_run_are_empty() -> None:
    assert (dict(Outputs()), Outputs().errors) == ({}, {})
    with pytest.raises(KeyError, match=r"The graph has no node 'a'\. It has none\."):
        Outputs()["a"]


@pytest.mark.promise("D-GRAPH-06")
def test_outputs_are_filled_while_nodes_end_and_serve_one_run() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        outputs = Outputs()
        runtime = Runtime(workers=[jobs.worker()])
        running = asyncio.create_task(runtime.run(jobs_graph("a", b="a"), Run(), into=outputs))
        await settle()
        assert dict(outputs) == {}
        jobs.end("a")
        await settle()
        assert dict(outputs) == {"a": "a"}
        with pytest.raises(InvalidValue, match="into: has been given to a run before"):
            await runtime.run(jobs_graph("a"), Run(), into=outputs)
        jobs.end("b")
        assert await running is outputs
        with pytest.raises(InvalidValue, match="give each run an Outputs"):
            await runtime.run(jobs_graph("a"), Run(), into=outputs)
        assert (dict(outputs), jobs.begun) == ({"a": "a", "b": "b"}, ["a", "b"])

    run(scenario())
