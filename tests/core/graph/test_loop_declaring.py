"""Loops are declared: functions of the right kind, and a sensible bound."""

from __future__ import annotations

from typing import Any

import pytest

from ditto_core import Graph, GraphError, Loop, Outputs
from tests.support.jobs import Run, jobs_graph

GRAPH = jobs_graph("a")


async def _late(*all: Any) -> Any:
    raise AssertionError


def _made(**changed: Any) -> Loop[int]:
    functions: dict[str, Any] = {
        "bind": lambda state: Run(),
        "update": lambda state, outputs: state + 1,
        "done": lambda state: True,
    }
    graph = changed.pop("graph", GRAPH)
    return Loop(graph, **functions | changed)


@pytest.mark.promise("LOOP-01", "D-GRAPH-08")
def test_a_loop_holds_what_it_was_given() -> None:
    def update(state: int, outputs: Outputs) -> int:
        return state

    loop = _made(update=update, max_iterations=3)
    assert (loop.graph, loop.update, loop.max_iterations) == (GRAPH, update, 3)
    assert _made().max_iterations is None
    assert loop.graph_for(0) is GRAPH


@pytest.mark.parametrize("max_iterations", [0, -1, True, 1.5, "8", float("inf")], ids=repr)
@pytest.mark.promise("LOOP-03")
def test_a_bad_bound_is_refused(max_iterations: Any) -> None:
    with pytest.raises(GraphError, match=r"^Loop over 'g': max_iterations must be a positive integer\.$"):
        _made(max_iterations=max_iterations)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (None, "must be a function, not None"),
        (3, "must be a function, not an int"),
        (_late, "is an async function; make it a plain one"),
        (lambda: 0, "by position: 'state'"),
        (lambda a, b, c: 0, "by position: 'state'"),
        (lambda *, state, outputs=None: 0, "by position: 'state'"),
    ],
    ids=["none", "int", "async", "no argument", "three arguments", "by name"],
)
@pytest.mark.parametrize("field", ["bind", "update", "done"])
@pytest.mark.promise("LOOP-01", "D-GRAPH-04")
def test_its_functions_are_plain_and_take_what_they_get(field: str, function: Any, problem: str) -> None:
    with pytest.raises(GraphError, match=rf"^Loop over 'g': {field} ") as why:
        _made(**{field: function})
    assert problem in str(why.value)


@pytest.mark.parametrize("graph", [None, "g", 3, _late, lambda: GRAPH], ids=["none", "str", "int", "async", "arity"])
@pytest.mark.promise("D-GRAPH-04")
def test_its_graph_is_one_or_a_function_that_chooses_one(graph: Any) -> None:
    with pytest.raises(GraphError, match=r"^Loop: graph, if it is no Graph, (must|is)"):
        _made(graph=graph)


def test_a_function_may_choose_the_graph() -> None:
    graphs = [GRAPH, Graph("h", Run)]
    loop = _made(graph=lambda state: graphs[state])
    assert [loop.graph_for(state) for state in (0, 1)] == graphs
    with pytest.raises(GraphError, match=r"must return a Graph, not a str"):
        _made(graph=lambda state: "g").graph_for(0)
