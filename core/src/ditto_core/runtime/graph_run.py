"""One run of a graph: each node begins when those it waits for have ended, and as many at once as may be.

A run needs no task of its own while one node is ready after the other: the caller's task works them off. Once several
are ready together, a task beside it takes over and the caller's only waits, so that a cancellation reaches all nodes.
Further tasks begin only when a node waits for something while others are ready.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
from contextlib import suppress
from os import urandom
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, NodeUnavailable, RuntimeClosed
from ..graph.declaring import refuse_coroutine
from ..graph.graph import Graph
from ..graph.outputs import Outputs
from ..text import describe
from ..tools.scope import Services
from .closing import closed_meanwhile
from .entering import entered
from .invocation import Invocation

if TYPE_CHECKING:
    from ..graph.step import Step
    from .routing import Route
    from .runtime import Runtime


class GraphRun:
    """What one run of a graph has done and has still to do."""

    def __init__(
        self,
        runtime: Runtime,
        graph: Graph[Any],
        input: Any,
        outputs: Outputs,
        *,
        services: Services,
        parent: Invocation | None,
        nested: bool = False,
        concurrency: int | None = None,
        deadline: float | None = None,
    ) -> None:
        if not isinstance(graph, Graph):
            raise InvalidInput(f"A run: needs a Graph, not {describe(graph)}.")
        if not isinstance(outputs, Outputs):
            raise InvalidInput(f"Graph {graph.name!r}: into must be an Outputs(), not {describe(outputs)}.")
        if not isinstance(input, graph.input_class):
            raise InvalidInput(
                f"Graph {graph.name!r}: the input must be a {graph.input_class.__name__}, not {describe(input)}."
            )
        plan = graph.plan
        self.graph = graph
        self.outputs = outputs
        self.started = False
        """Whether a node's handler has begun; known when that node has ended."""
        self._runtime = runtime
        self._plan = plan
        self._input = input
        self._values = outputs.begin(plan.by_id)
        self._services = services
        self._parent = parent
        self._nested = nested
        self._deadline = deadline
        self.id = urandom(16).hex()
        self._ready = deque(plan.first)
        self._missing = list(plan.missing)
        self._limit = concurrency or len(plan.steps)
        self._working = 1
        """How many tasks work off what is ready; the caller's own is the first."""
        self._helpers: dict[asyncio.Task[None], None] = {}
        self._help_is_called = False
        self._failure: BaseException | None = None
        self._may_wait: dict[Invocation, None] = {}
        """The calls that had to ask for a slot, and may still wait for it."""

    async def run(self) -> Outputs:
        """Run all nodes, or those up to the first error, which is raised when the running ones have ended."""
        for step in self._plan.calls:
            self._check_available(step)
        task: asyncio.Task[Any] = asyncio.current_task()  # type: ignore[assignment]
        cancelling = task.cancelling()
        await self._work(alone=self._limit > 1)
        if self._ready and self._failure is None:
            self._begin_helper()
        while self._helpers:
            await self._wait_for(next(reversed(self._helpers)))
        if self._failure is None:
            return self.outputs
        if task.cancelling() > cancelling and not isinstance(self._failure, asyncio.CancelledError):
            raise asyncio.CancelledError from self._failure  # which a node made of the cancellation
        if self.started and isinstance(self._failure, RuntimeClosed) and not self._failure.started:
            over = f"graph {self.graph.name!r}: a node has not begun, and others"
            raise closed_meanwhile(over, self._failure) from self._failure
        raise self._failure

    async def _work(self, *, alone: bool = False) -> None:
        """Run one ready node after the other, and call for help with those beside them; `alone`, leave off instead."""
        task: asyncio.Task[Any] = asyncio.current_task()  # type: ignore[assignment]
        ready, missing, dependents = self._ready, self._missing, self._plan.dependents
        while ready and self._failure is None:
            if len(ready) > 1 and self._working < self._limit:
                if alone:
                    break
                if not self._help_is_called:
                    self._help_is_called = True
                    task.get_loop().call_soon(self._help)
            index = ready.popleft()
            step = self._plan.steps[index]
            call: Invocation | None = None
            try:
                call, work = self._begin(step, task)
                self._values[step.id] = await work
            except BaseException as error:  # an interrupt too: the other nodes are not to be lost with it
                self._fail(step, call, error)
                break
            self.started = True
            if self._may_wait:
                self._may_wait.pop(call, None)
            for dependent in dependents[index]:
                missing[dependent] -= 1
                if not missing[dependent]:
                    ready.append(dependent)
        self._working -= 1
        self._helpers.pop(task, None)

    def _help(self) -> None:
        """Begin what is still ready: the task that called for help waits for something, or has done it all itself."""
        self._help_is_called = False
        if self._failure is None:
            for _ in range(min(len(self._ready), self._limit - self._working)):
                self._begin_helper()

    def _begin_helper(self) -> None:
        self._working += 1
        helper = asyncio.get_running_loop().create_task(self._work())
        if not helper.done():  # as tasks that begin eagerly may be
            self._helpers[helper] = None

    async def _wait_for(self, helper: asyncio.Task[None]) -> None:
        """Wait until a helper has ended; a cancellation of the wait goes to all of them, and is the run's failure."""
        try:
            await asyncio.wait([helper])
        except asyncio.CancelledError as cancelled:
            self._failure = cancelled
            for one in self._helpers:
                one.cancel()
            return
        self._helpers.pop(helper, None)
        if helper.cancelled() and self._failure is None:  # by somebody else, before it had begun
            self._failure = asyncio.CancelledError()

    def _fail(self, step: Step[Any], call: Invocation | None, error: BaseException) -> None:
        """Take note of what a node raised, and let those that still wait for a slot not begin."""
        if call is not None:
            self._may_wait.pop(call, None)
            self.started = self.started or call.started
        if call is None or call.started or not isinstance(error, asyncio.CancelledError):
            if error is not self._failure:
                with suppress(Exception):  # there are exceptions that take no notes
                    error.add_note(f"in node {step.id!r} of graph {self.graph.name!r}")
            self.outputs.errors[step.id] = error
        if self._failure is None:
            self._failure = error
            for waiting in self._may_wait:
                if not waiting.started:
                    waiting.task.cancel()

    def _begin(self, step: Step[Any], task: asyncio.Task[Any]) -> tuple[Invocation, Awaitable[Any]]:
        """Return the call of one node, and what makes it."""
        self._check_goes_on()
        values = self._values
        input = step.bind(self._input, *[values[one.id] for one in step.after])
        registration, node, handler = self._route(step)
        if type(input) is not node.input:
            input = entered(node, refuse_coroutine(input, f"Node {step.id!r} of graph {self.graph.name!r}"))
        call = Invocation(registration, self._services, task, self._parent)
        call.nested = self._nested
        call.deadline = self._deadline
        call.run_of = self
        call.step = step
        if registration.worker.concurrency is not None:
            self._may_wait[call] = None
        return call, call.run(node, handler, input)

    def _check_goes_on(self) -> None:
        """Refuse a node that would begin after the end: of the runtime, or of the call that the run belongs to."""
        if self._nested and self._parent is not None:
            self._parent.check_open("", "run")
        if self._runtime.closed if self._nested else self._runtime.runs.interrupted:
            raise RuntimeClosed("The runtime is closing: this node has not begun.", started=False)

    def _route(self, step: Step[Any]) -> Route:
        if self._nested and self._parent is not None:
            return self._runtime.routes.find_within(self._parent.registration, step.node)
        return self._runtime.routes.find(step.node)

    def _check_available(self, step: Step[Any]) -> None:
        """Refuse the whole run before anything has happened, when one of its nodes is offered by nobody."""
        try:
            self._route(step)
        except NodeUnavailable as error:
            error.add_note(f"in node {step.id!r} of graph {self.graph.name!r}")
            raise
