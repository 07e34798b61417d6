"""Loops: a graph that runs again and again, from a state to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from ..errors import GraphError
from ..text import describe
from .declaring import check_plain, refuse_coroutine
from .graph import Graph
from .outputs import Outputs

S = TypeVar("S")
In = TypeVar("In")

MAX_ITERATIONS: Final = 32
"""How often a loop runs its graph at the most, unless it says otherwise."""


class Loop(Generic[S]):
    """A graph to run once or more; ``await runtime.loop(loop, state)`` runs it and returns the last state.

    Each iteration runs the graph with ``bind(state)`` as its input, makes the next state with
    ``update(state, outputs)`` and ends the loop when ``done(state)`` is true of that one. In place of a graph, a
    function may choose one for each state. All functions are plain ones, and what they raise ends the loop unchanged.
    ``max_iterations`` is a positive integer; omitted, it is 32 or what the runtime's configuration says.

    A loop is only declared here: it may run many times, also at once, and copies no state. Raises
    :class:`GraphError`.
    """

    def __init__(
        self,
        graph: Graph[In] | Callable[[S], Graph[In]],
        *,
        bind: Callable[[S], In],
        update: Callable[[S, Outputs], S],
        done: Callable[[S], bool],
        max_iterations: int | None = None,
    ) -> None:
        who = f"Loop over {graph.name!r}" if isinstance(graph, Graph) else "Loop"
        if not isinstance(graph, Graph):
            check_plain(who, "graph, if it is no Graph,", graph, ["state"])
        check_plain(who, "bind", bind, ["state"])
        check_plain(who, "update", update, ["state", "outputs"])
        check_plain(who, "done", done, ["state"])
        if max_iterations is not None and (type(max_iterations) is not int or max_iterations < 1):
            raise GraphError(f"{who}: max_iterations must be a positive integer.")
        self.graph = graph
        self.bind: Callable[[S], Any] = bind
        self.update = update
        self.done = done
        self.max_iterations = max_iterations

    def graph_for(self, state: S) -> Graph[Any]:
        """Return the graph that runs for a state; raises :class:`GraphError` when the function gives none."""
        graph = self.graph if isinstance(self.graph, Graph) else refuse_coroutine(self.graph(state), "Loop, graph")
        if not isinstance(graph, Graph):
            raise GraphError(f"Loop: the function that chooses a graph must return a Graph, not {describe(graph)}.")
        return graph
