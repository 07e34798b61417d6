"""One call on its way through a runtime."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..events import EventEmitted
from ..threads import DaemonThreads
from ..tools.scope import CallScope, Execution, Services, WorkerAddress
from ..worker.node import Handler, Node
from ..worker.observing import observing
from .deadline import timed_out, until

if TYPE_CHECKING:
    from ..graph.outputs import Outputs
    from ..graph.step import Step
    from .graph_run import GraphRun
    from .registration import Registration
    from .runtime import Runtime

R = TypeVar("R")


class Invocation(CallScope):
    """The scope of one call, with what the runtime has to know to bound, interrupt and end it."""

    started = False
    """Whether the handler has begun."""
    interrupted = False
    """Whether closing has cancelled the task on behalf of the runtime."""
    claims_slot = False
    """Whether the call stands in the line for a slot, or has one."""
    holds_slot = False
    """Whether a slot of the registration's concurrency is taken; it outlives the call while a thread still runs."""
    nested = False
    """Whether the call was made through the context of its parent, which stands for it in the line for a slot."""
    run_of: GraphRun | None = None
    """The run of a graph that the call is, or was made for, a node of; the node is `step`."""
    step: Step[Any] | None = None
    threads_running = 0
    """How many functions run in threads for this call and those nested in it."""

    def __init__(
        self, registration: Registration, services: Services, task: asyncio.Task[Any], parent: Invocation | None
    ) -> None:
        self.registration = registration
        self.services = services
        self.task = task
        self.cancelling = task.cancelling()
        self.parent = parent

    @property
    def runtime(self) -> Runtime:
        """The runtime that the call goes through."""
        return self.registration.runtime

    @property
    def execution(self) -> Execution | None:
        """The node of a graph's run that the call belongs to."""
        if self.run_of is None or self.step is None:
            return None
        return Execution(graph=self.run_of.graph.name, run=self.run_of.id, node=self.step.id)

    @property
    def worker(self) -> WorkerAddress:
        """The registration that runs the call."""
        return self.registration.address

    @property
    def resources(self) -> Any:
        """What the worker made for this registration."""
        return self.registration.resources

    def run(
        self, node: Node[Any, Any], handler: Handler[Any, Any], input: Any, timeout: float | None = None
    ) -> Awaitable[Any]:
        """Return what makes the call, until `timeout` if it has one, and tells the observers if there are some."""
        registration = self.registration
        observers = registration.tools.observers
        if timeout is None and not observers:
            return registration.run(self, handler, input)
        work: Callable[[], Awaitable[Any]] = partial(registration.run, self, handler, input)
        if timeout is not None:
            work = partial(self._bounded, work, node, timeout)
        if not observers:
            return work()
        return observing(observers, node, handler, input, work, execution=self.execution)

    async def _bounded(self, work: Callable[[], Awaitable[Any]], node: Node[Any, Any], timeout: float) -> Any:
        """Do the work until the call's deadline."""
        name = f"Node {node.type!r}: the call"
        return await until(self.deadline, work(), lambda: timed_out(name, timeout, started=self.started))

    async def invoke(self, node: Any, input: Any) -> Any:
        """Run another node on behalf of this call, without a slot of its own."""
        return await self.runtime.invoke_within(self, node, input)

    async def run_graph(self, graph: Any, input: Any, concurrency: int | None, into: Outputs | None) -> Outputs:
        """Run a graph on behalf of this call; its nodes take no slots."""
        return await self.runtime.run_within(self, graph, input, concurrency, into)

    def emit(self, call_id: str, event: Any) -> None:
        """Hand an event to the runtime's listener, on the event loop."""
        listener = self.runtime.on_event
        if listener is not None:
            emitted = EventEmitted(call_id=call_id, worker=self.registration.address.type, event=event)
            self.runtime.on_loop(_told, listener, emitted)

    @property
    def threads(self) -> DaemonThreads:
        """The runtime's own threads."""
        return self.runtime.threads

    async def in_thread(self, function: Callable[..., R], *args: Any) -> R:
        """Run a plain function on one of the runtime's threads; a slot stays taken until it ends."""
        self.loop = asyncio.get_running_loop()
        holder = self
        while holder.nested and holder.parent is not None:
            holder = holder.parent
        holder.threads_running += 1
        return await self.threads.run(function, *args, ended=holder.thread_ended)

    def thread_ended(self) -> None:
        """Take note that one function has ended; the last one of a call that is over gives the slot back."""
        self.threads_running -= 1
        if self.closed:
            self.release_slot()

    def release_slot(self) -> None:
        """Give the slot back unless a thread of this call still runs."""
        if self.holds_slot and not self.threads_running:
            self.holds_slot = False
            self.registration.release_slot()

    def end_interruption(self) -> bool:
        """Take back the cancellation that closing asked for; False when the caller's task was cancelled as well."""
        return self.task.uncancel() <= self.cancelling


CURRENT: ContextVar[Invocation | None] = ContextVar("ditto_current_call", default=None)
"""The innermost call that this code runs in, through tasks and threads; it may have ended already."""


def open_call() -> Invocation | None:
    """Return the innermost call around this code that has not ended."""
    call = CURRENT.get()
    while call is not None and call.closed:
        call = call.parent
    return call


def _told(listener: Callable[[EventEmitted], None], event: EventEmitted) -> None:
    try:
        listener(event)
    except Exception:
        from ..log import LOG

        LOG.exception("event_listener_failed", call_id=event.call_id)
