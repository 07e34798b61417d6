"""Graphs: which calls a run makes, and which outputs each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias, TypeVar, overload

from ..contracts.json_values import JsonObject
from ..errors import GraphError
from ..text import describe, quote
from ..worker.node import Node
from .declaring import check_binder, check_name, input_class, step_id
from .plan import Plan
from .step import Step

In = TypeVar("In")
NodeIn = TypeVar("NodeIn")
NodeOut = TypeVar("NodeOut")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")

Binder: TypeAlias = Callable[..., Any]


class Graph(Generic[In]):
    """Nodes to call and what each of them waits for; ``await runtime.run(graph, input)`` makes the calls.

    ``name`` is shown in errors and in every call's execution. ``input`` is the class of what a run is given. A graph
    holds no tool, client or sink and starts nothing; it may be run many times, also at once. A node that is added
    while a run is on its way belongs to later runs.

    Raises :class:`GraphError` for a name or a class that is none.
    """

    def __init__(self, name: str, input: type[In]) -> None:
        check_name("Graph", name)
        self.name = name
        self.input = input
        self.input_class = input_class(name, input)
        """What `isinstance` is asked with: ``dict`` for ``dict[str, int]``."""
        self._steps: dict[str, Step[Any]] = {}
        self._plan: Plan | None = None

    def __repr__(self) -> str:
        return f"Graph({self.name!r}, nodes={list(self._steps)})"

    @property
    def steps(self) -> tuple[Step[Any], ...]:
        """The nodes in the order of their declaration."""
        return tuple(self._steps.values())

    @property
    def plan(self) -> Plan:
        """What a run needs to know, worked out once for the nodes that there are."""
        if self._plan is None:
            self._plan = Plan(self.steps)
        return self._plan

    @overload
    def node(
        self, node: Node[NodeIn, NodeOut], /, *, id: str | None = None
    ) -> Callable[[Callable[[In], NodeIn | JsonObject]], Step[NodeOut]]: ...
    @overload
    def node(
        self, node: Node[NodeIn, NodeOut], a: Step[A], /, *, id: str | None = None
    ) -> Callable[[Callable[[In, A], NodeIn | JsonObject]], Step[NodeOut]]: ...
    @overload
    def node(
        self, node: Node[NodeIn, NodeOut], a: Step[A], b: Step[B], /, *, id: str | None = None
    ) -> Callable[[Callable[[In, A, B], NodeIn | JsonObject]], Step[NodeOut]]: ...
    @overload
    def node(
        self, node: Node[NodeIn, NodeOut], a: Step[A], b: Step[B], c: Step[C], /, *, id: str | None = None
    ) -> Callable[[Callable[[In, A, B, C], NodeIn | JsonObject]], Step[NodeOut]]: ...
    @overload
    def node(
        self, node: Node[NodeIn, NodeOut], a: Step[A], b: Step[B], c: Step[C], d: Step[D], /, *, id: str | None = None
    ) -> Callable[[Callable[[In, A, B, C, D], NodeIn | JsonObject]], Step[NodeOut]]: ...
    @overload
    def node(
        self,
        node: Node[NodeIn, NodeOut],
        a: Step[A],
        b: Step[B],
        c: Step[C],
        d: Step[D],
        e: Step[E],
        /,
        *more: Step[Any],
        id: str | None = None,
    ) -> Callable[[Callable[..., NodeIn | JsonObject]], Step[NodeOut]]: ...
    def node(self, node: Node[Any, Any], /, *after: Step[Any], id: str | None = None) -> Callable[[Binder], Step[Any]]:
        """Declare a node with the plain function below, which makes the node's input; its name is the node's id.

        The function gets the run's input and then the outputs of the steps in `after`, in that order: with up to four
        of them type checkers know which classes. It returns an object of the node's input class, or the same as a
        JSON object. The name of the function then stands for the :class:`Step`, which later nodes wait for and with
        which outputs are read.

        Raises :class:`GraphError`, which names the node.
        """

        def declared(bind: Binder) -> Step[Any]:
            return self._add(step_id(self.name, bind, id), node, bind, after)

        return declared

    @overload
    def add(
        self,
        id: str,
        node: Node[NodeIn, NodeOut],
        bind: Callable[..., NodeIn | JsonObject],
        *,
        after: Iterable[Step[Any]] = (),
    ) -> Step[NodeOut]: ...
    @overload
    def add(self, id: str, node: str, bind: Binder, *, after: Iterable[Step[Any]] = ()) -> Step[Any]: ...
    def add(self, id: str, node: Node[Any, Any] | str, bind: Binder, *, after: Iterable[Step[Any]] = ()) -> Step[Any]:
        """Declare a node from data: what :meth:`node` does, with a node's name in place of a :class:`Node` too."""
        if isinstance(after, (str, Step)) or not isinstance(after, Iterable):
            raise GraphError(
                f"Node {quote(id)} of graph {self.name!r}: after must be a list of steps, not {describe(after)}."
            )
        return self._add(id, node, bind, tuple(after))

    def _add(self, id: str, node: Node[Any, Any] | str, bind: Binder, after: tuple[Step[Any], ...]) -> Step[Any]:
        who = f"Node {quote(id)} of graph {self.name!r}"
        check_name(who, id)
        if id in self._steps:
            raise GraphError(f"{who}: there is one of that id already. Give one of the two another id.")
        if type(node) is not Node and type(node) is not str:
            raise GraphError(f"{who}: must call a Node, such as ACT_TOOL, or one by its name, not {describe(node)}.")
        for step in after:
            if type(step) is not Step:
                raise GraphError(
                    f"{who}: can only wait for a step, not {describe(step)}. "
                    "A step is what declaring a node gives; declare the other node first."
                )
            if self._steps.get(step.id) is not step:
                raise GraphError(
                    f"{who}: waits for {quote(step.id)}, a step of another graph. Declare it in this one."
                )
        check_binder(who, bind, [step.id for step in after])
        step = Step(id=id, node=node, after=after, bind=bind)
        self._steps[id] = step
        self._plan = None
        return step

    def to_mermaid(self) -> str:
        """Return the graph as a flowchart in Mermaid's language, with ids and node names as labels."""
        from .mermaid import flowchart

        return flowchart(self.steps)
