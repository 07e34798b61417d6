"""A worker as it is registered: its resources, its slots, its waiting line and its end."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

from ..errors import InvalidValue, RuntimeClosed, WorkerBusy
from ..tools.context import ToolContext
from ..tools.scope import WorkerAddress
from ..worker.node import Handler
from ..worker.worker import Worker
from .closing import CLOSE_GRACE, CLOSE_TIMEOUT, check_not_inside, check_seconds, drain
from .invocation import CURRENT, Invocation

if TYPE_CHECKING:
    from .runtime import Runtime


class Registration:
    """One registered replica of a worker; :meth:`Runtime.register` returns it."""

    def __init__(self, runtime: Runtime, worker: Worker, id: str) -> None:
        self.address = WorkerAddress(type=worker.type, id=id)
        self.worker = worker
        self.tools = worker.tools
        self.resources = _resources(worker)
        self.calls: set[Invocation] = set()
        """The calls that run or wait here."""
        self.runtime = runtime
        self._slots = asyncio.Semaphore(worker.concurrency) if worker.concurrency is not None else None
        self._claims = 0
        """How many calls hold a slot or wait for one."""
        self._drained: asyncio.Event | None = None
        self._closing: asyncio.Task[None] | None = None
        self.disposing: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"Registration({self.address.type!r}, id={self.address.id!r})"

    def unregister(self) -> bool:
        """Take the worker out of routing: True once, then False. Calls that run or wait here go on."""
        return self.runtime.withdraw(self)

    async def aclose(self, timeout: float = CLOSE_TIMEOUT, grace: float = CLOSE_GRACE) -> None:
        """Unregister, let the calls finish for `timeout` seconds, interrupt the rest, dispose the resources once.

        Works as :meth:`Runtime.aclose` does, for this one registration.
        """
        check_seconds(timeout, grace)
        check_not_inside(self, self._closing, self.disposing)
        self.unregister()
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(timeout, grace))
        await asyncio.shield(self._closing)

    async def _close(self, timeout: float, grace: float) -> None:
        await drain([self], timeout, grace)
        try:
            await self.dispose()
        finally:
            self.runtime.forget(self)

    def takes_at_once(self) -> bool:
        """Tell whether a call would not wait for a slot and nobody would be told of it."""
        return (self._slots is None or not self._slots.locked()) and not self.tools.observers

    async def run(self, call: Invocation, handler: Handler[Any, Any], input: Any) -> Any:
        """Wait for a slot, run the handler in the caller's task, and tell the ways in which that may end apart."""
        self.calls.add(call)
        token = CURRENT.set(call)
        try:
            if self._slots is not None and not call.nested:
                self._claim_slot(call)
                await self._slots.acquire()
                call.holds_slot = True
            call.started = True
            output = await handler(input, ToolContext.of(call))
        except asyncio.CancelledError:
            if call.interrupted and call.end_interruption():
                raise _closed(call) from None
            raise
        except BaseException as error:
            if call.interrupted and call.end_interruption():
                raise _closed(call) from error
            raise
        finally:
            CURRENT.reset(token)
            call.closed = True
            if call.waits or call.claims_slot:
                self._let_go(call)
            self.calls.discard(call)
            if self._drained is not None and not self.calls:
                self._drained.set()
        if call.interrupted and call.end_interruption():
            raise _closed(call)
        if call.task.cancelling() > call.cancelling:
            # The handler swallowed a cancellation: the caller asked to stop, so its answer is not a result.
            raise asyncio.CancelledError
        return output

    def _claim_slot(self, call: Invocation) -> None:
        """Take a place in the line; refuse when the line is full or the call would wait for its own caller."""
        waiting = self._claims - (self.worker.concurrency or 0)
        if waiting >= 0:
            holder = call.parent
            while holder is not None:
                if holder.registration is self and holder.holds_slot and not holder.closed:
                    raise WorkerBusy(
                        f"Worker {self.address.type!r} is full, and the caller holds one of its slots itself: it "
                        "would wait for itself. Call through context.invoke, which takes no slot."
                    )
                holder = holder.parent
            if waiting >= self.worker.max_waiting:
                raise WorkerBusy(
                    f"Worker {self.address.type!r} is full and {waiting} calls are waiting already (max_waiting). "
                    "Call again later, or register the worker with more slots."
                )
        self._claims += 1
        call.claims_slot = True

    def _let_go(self, call: Invocation) -> None:
        """End what threads wait for on behalf of a call that has ended; its slot, or place in the line, goes on."""
        call.end_waits()
        if call.holds_slot:
            call.release_slot()
        elif call.claims_slot:
            self._claims -= 1

    def release_slot(self) -> None:
        """Hand a slot to the next call in the line."""
        if self._slots is not None:
            self._claims -= 1
            self._slots.release()

    def interrupt(self, *, only_waiting: bool) -> None:
        """Cancel the calls here on behalf of the runtime, all of them or those in the line only.

        A node of a graph that waits in the line is part of a run that has begun.
        """
        for call in list(self.calls):
            if not call.interrupted and not (only_waiting and (call.started or call.run_of is not None)):
                call.interrupted = True
                call.task.cancel()

    async def drained(self) -> None:
        """Wait until no call runs or waits here."""
        if self.calls:
            self._drained = self._drained or asyncio.Event()
            self._drained.clear()
            await self._drained.wait()

    async def dispose(self) -> None:
        """Dispose the resources, once; whoever asks waits until it is done and hears how it went."""
        if self.disposing is None:
            self.disposing = asyncio.create_task(self._dispose())
        await asyncio.shield(self.disposing)

    async def _dispose(self) -> None:
        try:
            if self.worker.dispose is not None:
                outcome = self.worker.dispose(self.resources)
                if inspect.isawaitable(outcome):
                    await outcome
        except asyncio.CancelledError as error:  # of something that it awaited: nobody cancels this task
            raise RuntimeError("dispose ended in a cancellation") from error


def _resources(worker: Worker) -> Any:
    if worker.resources is None:
        return None
    resources = worker.resources()
    if inspect.iscoroutine(resources):
        resources.close()
        raise InvalidValue("resources", f"of worker {worker.type!r} must be a plain function, not an async one")
    return resources


def _closed(call: Invocation) -> RuntimeClosed:
    if call.started:
        return RuntimeClosed(
            "The runtime or worker was closed while the call ran: its effect is unknown. Check before a retry.",
            started=True,
        )
    return RuntimeClosed("The runtime or worker was closed before the call began: nothing has run.", started=False)
