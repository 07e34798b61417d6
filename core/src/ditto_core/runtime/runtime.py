"""The entrance: one runtime routes every call of an application to the workers that it registered by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from math import isfinite
from threading import get_ident
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar, overload

from ..contracts.json_values import JsonObject
from ..contracts.wire import from_wire
from ..errors import (
    CallTimeout,
    InvalidInput,
    InvalidValue,
    NodeUnavailable,
    PermissionDenied,
    RuntimeClosed,
    WrongEventLoop,
)
from ..events import EventEmitted
from ..sandbox import Sandbox
from ..text import describe, quote
from ..threads import DEFAULT_LIMIT, DaemonThreads
from ..tools.scope import Services
from ..tools.tool import ToolDefinition
from ..worker.handlers import ToolHandler
from ..worker.node import ACT_TOOL, Handler, Node
from ..worker.observing import observing
from ..worker.worker import Worker
from .closing import CLOSE_GRACE, CLOSE_TIMEOUT, abandon, check_not_inside, check_seconds, drain
from .invocation import Invocation, open_call
from .registration import Registration

In = TypeVar("In")
Out = TypeVar("Out")
_Route: TypeAlias = tuple[Registration, Node[Any, Any], Handler[Any, Any]]


class Runtime:
    """Runs nodes on the workers that were registered with it, under one sandbox.

    - ``workers`` are registered in order, all or none.
    - ``sandbox`` permits nothing when omitted.
    - ``config`` is handed to calls as it is.
    - ``threads``: how many plain functions run at once, each in a daemon thread of this runtime.
    - ``on_event(event)`` hears what calls ``emit``: a plain function, called on the event loop; what it raises is
      logged and changes no call.

    A runtime belongs to the event loop of its first use. Use it as an async context manager, or :meth:`aclose` it.
    """

    def __init__(
        self,
        *,
        workers: Iterable[Worker] = (),
        sandbox: Sandbox | None = None,
        config: Any = None,
        threads: int = DEFAULT_LIMIT,
        on_event: Callable[[EventEmitted], None] | None = None,
    ) -> None:
        if type(threads) is not int or threads < 1:
            raise InvalidValue("threads", "must be a positive integer")
        if isinstance(workers, str) or not isinstance(workers, Iterable):
            raise InvalidValue("workers", f"must be a list of Worker objects, not {describe(workers)}")
        if sandbox is not None and not isinstance(sandbox, Sandbox):
            raise InvalidValue("sandbox", f"must be a Sandbox, not {describe(sandbox)}")
        if on_event is not None and not callable(on_event):
            raise InvalidValue("on_event", f"must be a function of one event, not {describe(on_event)}")
        self.services = Services(sandbox=Sandbox() if sandbox is None else sandbox, config=config)
        self.threads = DaemonThreads(threads)
        self.on_event = on_event
        self._registrations: list[Registration] = []
        self._routes: dict[str, tuple[_Route, ...]] = {}
        self._ids = count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._closing: asyncio.Task[None] | None = None
        self._closed = False
        try:
            for worker in workers:
                self.register(worker)
        except BaseException as error:
            abandon(self._registrations, error)
            raise

    async def __aenter__(self) -> Self:
        self._check_loop(asyncio.get_running_loop())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # Registration

    def register(self, worker: Worker) -> Registration:
        """Add a replica of a worker and return its handle; its ``resources()`` is called now, once.

        Registering one worker twice makes two replicas that share tools, registries and sinks, each with its own
        slots and resources. Raises :class:`InvalidValue` for what is no worker, :class:`RuntimeClosed`, and what
        ``resources()`` raises; nothing is registered then.
        """
        self._check_open()
        if not isinstance(worker, Worker):
            raise InvalidValue(
                "worker", f"must be a Worker, not {describe(worker)}; make one with interaction_worker()"
            )
        registration = Registration(self, worker, f"{worker.type.lower()}-{next(self._ids)}")
        self._registrations.append(registration)
        for name in worker.exposed:
            node, handler = worker.handlers[name]
            self._routes[name] = (*self._routes.get(name, ()), (registration, node, handler))
        return registration

    def withdraw(self, registration: Registration) -> bool:
        """Take a registration out of routing; True once, then False. See :meth:`Registration.unregister`."""
        found = False
        for name, routes in list(self._routes.items()):
            left = tuple(route for route in routes if route[0] is not registration)
            if len(left) != len(routes):
                found = True
                self._routes[name] = left
        return found

    def forget(self, registration: Registration) -> None:
        """Drop a registration that has closed itself."""
        if registration in self._registrations:
            self._registrations.remove(registration)

    def tools(self) -> tuple[ToolDefinition, ...]:
        """Return the definitions of the tools that a call may reach and the sandbox permits, one of each name."""
        definitions: dict[str, ToolDefinition] = {}
        for _, _, handler in self._routes.get(ACT_TOOL.type, ()):
            if isinstance(handler, ToolHandler):
                for definition in handler.registry.list(self.services.sandbox):
                    definitions.setdefault(definition.name, definition)
        return tuple(definitions.values())

    # Calls

    @overload
    async def invoke(
        self,
        node: Node[In, Out],
        input: In | JsonObject,
        *,
        timeout: float | None = None,
        worker: Registration | None = None,
        sandbox: Sandbox | None = None,
    ) -> Out: ...
    @overload
    async def invoke(
        self,
        node: str,
        input: Any,
        *,
        timeout: float | None = None,
        worker: Registration | None = None,
        sandbox: Sandbox | None = None,
    ) -> Any: ...
    async def invoke(
        self,
        node: Any,
        input: Any,
        *,
        timeout: float | None = None,
        worker: Registration | None = None,
        sandbox: Sandbox | None = None,
    ) -> Any:
        """Run one node on the least busy worker that exposes it, in the caller's task, and return its output.

        `input` is an object of the node's input class, or the same as a JSON object with wire names. `timeout`
        (seconds) covers the wait for a slot. `worker` pins the call to one registration. `sandbox` may permit less
        than the runtime's, never more.

        Raises before anything has run :class:`NodeUnavailable`, :class:`InvalidInput`, :class:`WorkerBusy`,
        :class:`PermissionDenied`, :class:`WrongEventLoop`, :class:`RuntimeClosed` (``started=False``);
        :class:`CallTimeout` when that deadline passed, :class:`RuntimeClosed` when the runtime was closed
        meanwhile, and what the handler raises, unchanged. Cancelling the caller's task cancels the call.
        """
        # Asking the loop of the first use for its task is quicker than asking which loop runs, and says as much.
        task = asyncio.current_task(self._loop) if get_ident() == self._thread else None
        if task is None or self._closing is not None:
            task = self._check_entry(asyncio.current_task())
        registration, kind, handler = self._route(node, worker)
        parent = open_call()
        # Code that holds the runtime is bound by the sandbox of the call it runs in, as context.invoke is.
        services = self.services if parent is None or parent.runtime is not self else parent.services
        if sandbox is not None:
            services = _narrowed(services, sandbox)
        if type(input) is not kind.input:
            input = _structured(kind, input)
        call = Invocation(registration, services, task, parent)
        if timeout is not None:
            call.deadline = task.get_loop().time() + _seconds(timeout)
        if observers := registration.worker.observers:
            return await observing(
                observers, kind, handler, input, lambda: _bounded(call, kind, handler, input, timeout)
            )
        if timeout is None:
            return await registration.run(call, handler, input)
        return await _bounded(call, kind, handler, input, timeout)

    async def invoke_within(self, parent: Invocation, node: Any, input: Any) -> Any:
        """Run a node on behalf of a running call: no slot, the parent's sandbox and deadline, also while draining.

        A node of the caller's own worker runs on the caller's own registration, exposed or not.
        """
        task = asyncio.current_task()
        if self._closed or task is None:
            raise RuntimeClosed("The runtime is closed: nothing has run.", started=False)
        registration, kind, handler = self._route_within(parent, node)
        if type(input) is not kind.input:
            input = _structured(kind, input)
        call = Invocation(registration, parent.services, task, parent)
        call.nested = True
        call.deadline = parent.deadline
        call.execution = parent.execution
        if observers := registration.worker.observers:
            run = partial(registration.run, call, handler, input)
            return await observing(observers, kind, handler, input, run)
        return await registration.run(call, handler, input)

    def _route(self, node: Any, pinned: Registration | None) -> _Route:
        name = node.type if type(node) is Node else node
        routes = self._routes.get(name) if type(name) is str else None
        if pinned is not None:
            routes = tuple(route for route in routes or () if route[0] is pinned)
        if not routes:
            raise NodeUnavailable(self._unavailable(name, pinned))
        if len(routes) == 1:
            return routes[0]
        return min(routes, key=_load)

    def _route_within(self, parent: Invocation, node: Any) -> _Route:
        """Stay on the caller's own registration for its worker's nodes, the private ones too; else route as usual."""
        name = node.type if type(node) is Node else node
        own = parent.registration.worker.handlers.get(name) if type(name) is str else None
        return (parent.registration, *own) if own is not None else self._route(node, None)

    def _unavailable(self, name: object, pinned: Registration | None) -> str:
        offered = ", ".join(sorted(name for name, routes in self._routes.items() if routes)) or "none"
        where = "the worker it was pinned to is unregistered or" if pinned is not None else "no registered worker"
        verb = "does not expose it" if pinned is not None else "exposes it"
        return f"Node {quote(name)}: {where} {verb}. Exposed nodes: {offered}."

    # Closing

    async def aclose(self, timeout: float = CLOSE_TIMEOUT, grace: float = CLOSE_GRACE) -> None:
        """Refuse new and waiting calls at once, let the running ones finish, then dispose the workers' resources.

        Calls that still run after `timeout` seconds are interrupted: their callers get :class:`RuntimeClosed`.
        What still runs `grace` seconds later is logged and left. Resources are disposed once, in reverse order of
        registration; what ``dispose`` raises comes out as an ``ExceptionGroup`` when all have been tried. Closes
        nothing that the application owns. Safe to call twice and from any task; raises :class:`CloseInsideCall`
        from inside a call.
        """
        check_seconds(timeout, grace)
        check_not_inside(self, self._closing, *(registration.disposing for registration in self._registrations))
        if self._closing is None:
            self._check_loop(asyncio.get_running_loop())
            self._closing = asyncio.create_task(self._close(timeout, grace))
        await asyncio.shield(self._closing)

    async def _close(self, timeout: float, grace: float) -> None:
        await drain(tuple(self._registrations), timeout, grace)
        self._closed = True
        self.threads.close()
        errors = []
        for registration in self._registrations[::-1]:
            try:
                await registration.dispose()
            except Exception as error:
                error.add_note(f"while disposing the resources of worker {registration.address.type!r}")
                errors.append(error)
        if errors:
            raise ExceptionGroup("Runtime.aclose: resources could not be disposed", errors)

    def on_loop(self, function: Callable[..., None], *args: Any) -> None:
        """Call a plain function on the runtime's event loop: now when this is the loop's thread, else soon."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is self._loop:
            function(*args)
        elif self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *args)

    # Checks

    def _check_entry(self, task: asyncio.Task[Any] | None) -> asyncio.Task[Any]:
        if task is None:
            raise WrongEventLoop("Runtime.invoke: call it from an asyncio task.")
        self._check_open()
        self._check_loop(task.get_loop())
        return task

    def _check_open(self) -> None:
        if self._closing is not None:
            raise RuntimeClosed(
                "The runtime is closed or closing: nothing has run. Make a new Runtime.", started=False
            )

    def _check_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._loop is None:
            self._loop, self._thread = loop, get_ident()
        elif self._loop is not loop:
            raise WrongEventLoop(
                "The runtime belongs to the event loop of its first use, and this is another. Make one per loop."
            )


async def _bounded(
    call: Invocation, node: Node[Any, Any], handler: Handler[Any, Any], input: Any, timeout: float | None
) -> Any:
    """Run a call until its deadline, if it has one."""
    limit = asyncio.timeout_at(call.deadline)
    try:
        async with limit:
            return await call.registration.run(call, handler, input)
    except TimeoutError as error:
        if timeout is None or not limit.expired():
            raise
        raise _timed_out(node.type, timeout, call) from error.__cause__


def _narrowed(services: Services, sandbox: Sandbox) -> Services:
    if not isinstance(sandbox, Sandbox):
        raise InvalidInput(f"Runtime.invoke: sandbox must be a Sandbox, not {describe(sandbox)}.")
    if not sandbox.is_within(services.sandbox):
        raise PermissionDenied(
            "Runtime.invoke: the call's sandbox permits more than the one around it. "
            "Make it with runtime.services.sandbox.narrow(…), or context.sandbox.narrow(…) inside a call."
        )
    return Services(sandbox=sandbox, config=services.config, providers=services.providers)


def _load(route: _Route) -> int:
    return len(route[0].calls)


def _structured(node: Node[Any, Any], input: Any) -> Any:
    if isinstance(input, node.input):
        return input
    if type(input) is not dict:
        raise InvalidInput(
            f"Node {node.type!r}: the input must be a {node.input.__name__} or the same as a JSON object, "
            f"not {describe(input)}."
        )
    try:
        return from_wire(node.input, input)
    except InvalidValue as error:
        raise InvalidInput(f"Node {node.type!r}: {error}.") from None


def _seconds(timeout: object) -> float:
    if type(timeout) not in (int, float) or not isfinite(timeout) or timeout <= 0:  # type: ignore[arg-type, operator]
        raise InvalidInput("Runtime.invoke: timeout must be a positive, finite number of seconds, or None.")
    return timeout  # type: ignore[return-value]


def _timed_out(node: str, timeout: float, call: Invocation) -> CallTimeout:
    if call.started:
        fate = "it had begun, so its effect is uncertain. Check before a retry"
    else:
        fate = "it was still waiting for a slot, so nothing has run"
    return CallTimeout(f"Node {node!r}: the call did not end within {timeout:g} s; {fate}.", started=call.started)
