"""One run of a loop: the graph, the next state, and the question whether that is the end."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..errors import InvalidInput, LoopExhausted, RuntimeClosed
from ..graph.declaring import refuse_coroutine
from ..graph.graph import Graph
from ..graph.loop import MAX_ITERATIONS, Loop
from ..graph.outputs import Outputs
from ..text import describe
from .closing import closed_meanwhile
from .graph_run import GraphRun

if TYPE_CHECKING:
    from .runtime import Runtime

S = TypeVar("S")


class LoopRun(Generic[S]):
    """What bounds one run of a loop; `run_options` are those that each run of its graph gets."""

    def __init__(self, runtime: Runtime, loop: Loop[S], *, max_iterations: int | None, **run_options: Any) -> None:
        if not isinstance(loop, Loop):
            raise InvalidInput(f"Runtime.loop: needs a Loop, not {describe(loop)}.")
        self.started = False
        """Whether a node has begun."""
        self._runtime = runtime
        self._name = repr(loop.graph.name) if isinstance(loop.graph, Graph) else "graphs of its choice"
        self._loop = loop
        self._limit = loop.max_iterations or max_iterations or MAX_ITERATIONS
        self._run_options = run_options

    async def run(self, state: S) -> S:
        """Run the graph until the loop is done or has had all its iterations."""
        for iteration in range(1, self._limit + 1):
            if iteration > 1:
                await asyncio.sleep(0)  # nodes may never wait: closing, cancelling and other tasks get their turn here
            try:
                state = await self._iterate(state)
                if refuse_coroutine(self._loop.done(state), "Loop, done"):
                    return state
            except Exception as error:
                over = f"iteration {iteration} of the loop over {self._name}"
                with suppress(Exception):  # there are exceptions that take no notes
                    error.add_note(f"in {over}")
                if self.started and isinstance(error, RuntimeClosed) and not error.started:
                    raise closed_meanwhile(f"{over}: it has not begun, and others", error) from error
                raise
        raise LoopExhausted(
            f"The loop over {self._name} was not done after {self._limit} iterations (max_iterations). "
            "Its last state is this error's state. Look at what update makes of it, or allow more iterations.",
            state=state,
        )

    async def _iterate(self, state: S) -> S:
        if self._runtime.runs.interrupted:
            raise RuntimeClosed("The runtime is closing: this iteration has not begun.", started=False)
        graph = self._loop.graph_for(state)
        run = GraphRun(
            self._runtime,
            graph,
            refuse_coroutine(self._loop.bind(state), "Loop, bind"),
            Outputs(),
            **self._run_options,
        )
        try:
            outputs = await run.run()
        finally:
            self.started = self.started or run.started
        return refuse_coroutine(self._loop.update(state, outputs), "Loop, update")
