"""Graphs are declared: what is declared wrongly fails then and there, and names the node."""

from __future__ import annotations

import functools
import inspect
from typing import Annotated, Any, Protocol, TypedDict

import pytest

from ditto_core import ACT_TOOL, Graph, GraphError, Node, Step
from tests.support.jobs import JOB, Job, Run, job


class Typed(TypedDict):
    text: str


class Shape(Protocol):
    text: str


class Callables:
    def plain(self, run: Run) -> Job:
        return Job(name="plain")

    async def late(self, run: Run) -> Job:
        raise AssertionError

    async def __call__(self, run: Run) -> Job:
        raise AssertionError


@pytest.mark.promise("GRAPH-01", "D-GRAPH-02")
def test_a_decorated_function_becomes_a_step_with_its_name_as_id() -> None:
    graph = Graph("g", Run)

    @graph.node(JOB)
    def first(run: Run) -> Job:
        return Job(name=run.text)

    @graph.node(JOB, first, id="second-1")
    def second(run: Run, text: str) -> Job:
        return Job(name=text)

    assert type(first) is Step
    assert (first.id, first.node, first.after) == ("first", JOB, ())
    assert (second.id, second.node, second.after) == ("second-1", JOB, (first,))
    assert graph.steps == (first, second)
    assert repr(graph) == "Graph('g', nodes=['first', 'second-1'])"
    assert repr(second) == f"Step(id='second-1', node={JOB!r}, after=['first'])"


@pytest.mark.promise("D-GRAPH-03")
def test_a_node_is_added_from_data() -> None:
    graph = Graph("g", Run)
    first = graph.add("first", "T.JOB", job("first"))
    second = graph.add("second", JOB, job("second"), after=(step for step in [first, first]))
    assert (first.node, first.after) == ("T.JOB", ())
    assert second.after == (first, first)


@pytest.mark.promise("GRAPH-02")
def test_a_graph_holds_dependencies_and_nothing_that_runs() -> None:
    graph = Graph("g", dict[str, int])
    assert vars(graph).keys() == {"name", "input", "input_class", "_steps", "_plan"}
    assert graph.input_class is dict
    assert not [name for name in dir(graph) if name in {"run", "tools", "client", "sink", "loop", "iterate"}]


@pytest.mark.parametrize("name", [None, "", 1, "a\nb", "a\x1bb", "x" * 201, b"g"], ids=lambda name: repr(name)[:12])
@pytest.mark.promise("D-GRAPH-04")
def test_a_name_that_one_line_cannot_show_is_refused(name: Any) -> None:
    with pytest.raises(GraphError, match=r"^Graph: the name must be a printable string of 1 to 200 characters") as why:
        Graph(name, Run)
    assert len(str(why.value)) < 250
    if name is not None:  # of a node, None asks for the function's own name
        with pytest.raises(GraphError, match=r"^Node .* of graph 'g': the name must be"):
            Graph("g", Run).node(JOB, id=name)(job("a"))
    with pytest.raises(GraphError, match=r"^Node .* of graph 'g': the name must be"):
        Graph("g", Run).add(name, JOB, job("a"))


@pytest.mark.parametrize(
    "kind",
    [None, "Run", 3, Run(), int | None, Any, Typed, Shape, Annotated[Run, "x"], Run | Job],
    ids=lambda kind: str(kind)[-20:],
)
@pytest.mark.promise("D-GRAPH-04")
def test_an_input_that_is_no_class_of_objects_is_refused(kind: Any) -> None:
    with pytest.raises(GraphError, match=r"^Graph 'g': the input must be given as a class"):
        Graph("g", kind)


@pytest.mark.promise("D-GRAPH-04")
def test_an_id_is_taken_once() -> None:
    graph = Graph("g", Run)
    first = graph.add("a", JOB, job("a"))
    with pytest.raises(GraphError, match=r"^Node 'a' of graph 'g': there is one of that id already"):
        graph.add("a", JOB, job("a"))
    assert graph.steps == (first,)


@pytest.mark.parametrize("node", [None, 1, Job, ["T.JOB"], object()], ids=lambda node: type(node).__name__)
@pytest.mark.promise("D-GRAPH-04")
def test_what_is_called_is_a_node_or_its_name(node: Any) -> None:
    graph = Graph("g", Run)
    with pytest.raises(GraphError, match=r"^Node 'a' of graph 'g': must call a Node, such as ACT_TOOL, or one by"):
        graph.add("a", node, job("a"))
    with pytest.raises(GraphError, match=r"^Node 'a' of graph 'g'"):
        graph.node(node, id="a")(job("a"))
    assert graph.steps == ()


@pytest.mark.parametrize("after", ["a", ["a"], [None], [JOB], [job("a")]], ids=range(5))
@pytest.mark.promise("D-GRAPH-04")
def test_only_a_step_can_be_waited_for(after: Any) -> None:
    graph = Graph("g", Run)
    graph.add("a", JOB, job("a"))
    with pytest.raises(GraphError, match=r"^Node 'b' of graph 'g': (can only wait for a step|after must be a list)"):
        graph.add("b", JOB, job("b"), after=after)
    assert len(graph.steps) == 1


@pytest.mark.parametrize("after", [None, 1, object()], ids=lambda after: type(after).__name__)
def test_after_is_a_list(after: Any) -> None:
    graph = Graph("g", Run)
    with pytest.raises(GraphError, match=r"^Node 'b' of graph 'g': after must be a list of steps, not"):
        graph.add("b", JOB, job("b"), after=after)
    with pytest.raises(GraphError, match="after must be a list of steps, not a Step"):
        graph.add("b", JOB, job("b"), after=graph.add("a", JOB, job("a")))  # type: ignore[arg-type]


@pytest.mark.promise("D-GRAPH-04")
def test_a_step_of_another_graph_cannot_be_waited_for_not_even_under_the_same_id() -> None:
    graph, other = Graph("g", Run), Graph("h", Run)
    foreign = other.add("a", JOB, job("a"))
    for _ in range(2):
        with pytest.raises(GraphError, match=r"^Node 'b' of graph 'g': waits for 'a', a step of another graph"):
            graph.add("b", JOB, job("b"), after=[foreign])
        if not graph.steps:
            graph.add("a", JOB, job("a"))


def _two(run: Run, first: str) -> Job:
    raise AssertionError


def _by_name(run: Run, *, first: str) -> Job:
    raise AssertionError


async def _late(run: Run, first: str) -> Job:
    raise AssertionError


@pytest.mark.parametrize(
    ("bind", "problem"),
    [
        (lambda: Job(name="a"), "must take 2 arguments by position: 'input', 'a'"),
        (lambda run: Job(name="a"), "must take 2 arguments by position"),
        (lambda run, a, b: Job(name="a"), "must take 2 arguments by position"),
        (_by_name, "must take 2 arguments by position"),
        (lambda run, a="mine": Job(name=a), "in the place of 'a', which has a default. Write a '*' before 'a'"),
        (functools.partial(_two, Run()), "must take 2 arguments by position"),
        (Callables().plain, "must take 2 arguments by position"),
        (_late, "is an async function; make it a plain one"),
        (functools.partial(_late), "is an async function"),
        (Callables().late, "is an async function"),
        (Callables(), "is an async function"),
        (None, "must be a function, not None"),
        ("bind", "must be a function, not a str"),
        (Job(name="a"), "must be a function, not a Job"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else type(value).__name__,
)
@pytest.mark.promise("D-GRAPH-04", "GRAPH-01")
def test_a_binder_is_a_plain_function_of_the_input_and_one_output_for_each_step(bind: Any, problem: str) -> None:
    graph = Graph("g", Run)
    first = graph.add("a", JOB, job("a"))
    with pytest.raises(GraphError, match=r"^Node 'b' of graph 'g': the function that makes its input ") as why:
        graph.add("b", JOB, bind, after=[first])
    assert problem in str(why.value)
    assert graph.steps == (first,)


@pytest.mark.parametrize(
    "bind",
    [_two, lambda *all: Job(name="a"), lambda run, a, *, b="": Job(name=b), functools.partial(_two), max, dict, Job],
    ids=lambda bind: getattr(bind, "__name__", "partial"),
)
def test_whatever_takes_the_arguments_may_be_a_binder(bind: Any) -> None:
    graph = Graph("g", Run)
    if bind is Job:  # takes its fields by name only
        with pytest.raises(GraphError):
            graph.add("b", JOB, bind, after=[graph.add("a", JOB, job("a"))])
    else:
        graph.add("b", JOB, bind, after=[graph.add("a", JOB, job("a"))])


@pytest.mark.parametrize("bind", [lambda run: None, functools.partial(_two, Run())], ids=["lambda", "partial"])
@pytest.mark.promise("D-GRAPH-02", "D-GRAPH-04")
def test_a_function_without_a_name_needs_an_id(bind: Any) -> None:
    graph = Graph("g", Run)
    with pytest.raises(GraphError, match=r"^A node of graph 'g': has no id, and a .* no name\. Give it one with id="):
        graph.node(JOB)(bind)
    assert graph.steps == ()


def test_a_signature_is_asked_for_and_nothing_is_called() -> None:
    def bind(run: Run) -> Job:
        raise AssertionError

    bind.__signature__ = inspect.Signature()  # type: ignore[attr-defined]
    with pytest.raises(GraphError, match="must take 1 arguments by position: 'input'"):
        Graph("g", Run).node(JOB)(bind)


@pytest.mark.promise("D-GRAPH-04")
def test_a_hostile_id_is_quoted_on_one_line_and_never_shown_as_a_repr() -> None:
    class Secret:
        def __repr__(self) -> str:
            return "hunter2"

    graph = Graph("g", Run)
    for id in ["a\n2026-01-01 INFO forged", "\x1b[2J", "x" * 5000, Secret()]:
        with pytest.raises(GraphError) as why:
            graph.add(id, JOB, job("a"))  # type: ignore[arg-type]
        assert str(why.value).isprintable()
        assert len(str(why.value)) < 400
        assert "hunter2" not in str(why.value)
    with pytest.raises(GraphError) as why:
        graph.add("a", Secret(), job("a"))  # type: ignore[call-overload]
    assert "hunter2" not in str(why.value)


def test_a_node_that_is_none_of_ours_can_still_be_named() -> None:
    graph = Graph("g", Run)
    assert graph.add("a", ACT_TOOL.type, job("a")).node == "INTERACTION.ACT.TOOL"
    assert graph.add("b", Node("X.Y", Run, int), job("b")).node == Node("X.Y", Run, int)
