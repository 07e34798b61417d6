"""One call on its way through a runtime."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from ..events import EventEmitted
from ..threads import DaemonThreads
from ..tools.scope import CallScope, Services, WorkerAddress

if TYPE_CHECKING:
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
    def worker(self) -> WorkerAddress:
        """The registration that runs the call."""
        return self.registration.address

    @property
    def resources(self) -> Any:
        """What the worker made for this registration."""
        return self.registration.resources

    async def invoke(self, node: Any, input: Any) -> Any:
        """Run another node on behalf of this call, without a slot of its own."""
        return await self.runtime.invoke_within(self, node, input)

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
