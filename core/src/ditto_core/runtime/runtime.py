"""The entrance: one runtime routes every call of an application to the workers that it registered by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from threading import get_ident
from types import MappingProxyType, TracebackType
from typing import Any, Self, TypeVar, overload

from ..config.config import Config
from ..contracts.json_values import JsonObject
from ..errors import InvalidValue, RuntimeClosed, WrongEventLoop
from ..events import EventEmitted
from ..graph.graph import Graph
from ..graph.loop import Loop
from ..graph.outputs import Outputs
from ..ports import WebSearchProvider
from ..sandbox import Sandbox
from ..text import describe
from ..threads import DEFAULT_LIMIT, DaemonThreads
from ..tools.scope import Services
from ..tools.tool import ToolDefinition
from ..worker.handlers import PureHandler, ToolHandler
from ..worker.node import ACT_TOOL, Node
from ..worker.worker import Worker
from .closing import CLOSE_GRACE, CLOSE_TIMEOUT, OpenRuns, abandon, check_not_inside, check_seconds, drain
from .deadline import timed_out, until
from .entering import entered, limit, narrowed, seconds
from .graph_run import GraphRun
from .invocation import Invocation, open_call
from .loop_run import LoopRun
from .registration import Registration
from .routing import Routes

In = TypeVar("In")
Out = TypeVar("Out")
S = TypeVar("S")


class Runtime:
    """Runs nodes on the workers that were registered with it, under one sandbox.

    - ``workers`` are registered in order, all or none.
    - ``sandbox``, when omitted, permits what the configuration does, and nothing without one.
    - ``config`` is handed to calls as it is. One that :func:`load_config` made also says how many nodes of a graph run
      at once and how many iterations a loop may have, unless these say so themselves.
    - ``providers``: search providers by name, for tools that look for one in ``context.services.providers``. The
      mapping is not copied: ``host.search_providers`` changes with its host, for the next call.
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
        providers: Mapping[str, WebSearchProvider] | None = None,
        threads: int = DEFAULT_LIMIT,
        on_event: Callable[[EventEmitted], None] | None = None,
    ) -> None:
        if type(threads) is not int or threads < 1:
            raise InvalidValue("threads", "must be a positive integer")
        if isinstance(workers, str) or not isinstance(workers, Iterable):
            raise InvalidValue("workers", f"must be a list of Worker objects, not {describe(workers)}")
        if sandbox is not None and not isinstance(sandbox, Sandbox):
            raise InvalidValue("sandbox", f"must be a Sandbox, not {describe(sandbox)}")
        if providers is not None and not isinstance(providers, Mapping):
            raise InvalidValue("providers", f"must be a mapping by name, not {describe(providers)}")
        if on_event is not None and not callable(on_event):
            raise InvalidValue("on_event", f"must be a function of one event, not {describe(on_event)}")
        self._concurrency: int | None = None
        self._max_iterations: int | None = None
        if isinstance(config, Config):
            self._concurrency = config.runtime.graph_concurrency
            self._max_iterations = config.runtime.loop_max_iterations
            sandbox = config.sandbox() if sandbox is None else sandbox
        self.services = Services(
            sandbox=Sandbox() if sandbox is None else sandbox,
            config=config,
            providers=MappingProxyType({} if providers is None else providers),
        )
        self.threads = DaemonThreads(threads)
        self.on_event = on_event
        self._registrations: list[Registration] = []
        self.routes = Routes()
        self.runs = OpenRuns()
        self._ids = count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._closing: asyncio.Task[None] | None = None
        self.closed = False
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
        self.routes.add(registration)
        return registration

    def withdraw(self, registration: Registration) -> bool:
        """Take a registration out of routing; True once, then False. See :meth:`Registration.unregister`."""
        return self.routes.withdraw(registration)

    def forget(self, registration: Registration) -> None:
        """Drop a registration that has closed itself."""
        if registration in self._registrations:
            self._registrations.remove(registration)

    def tools(self) -> tuple[ToolDefinition, ...]:
        """Return the definitions of the tools that a call may reach and the sandbox permits, one of each name."""
        definitions: dict[str, ToolDefinition] = {}
        for _, _, handler in self.routes.to(ACT_TOOL):
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
            task = self._check_entry(asyncio.current_task(), "invoke")
        registration, kind, handler = self.routes.find(node, worker)
        parent = open_call()
        # Code that holds the runtime is bound by the sandbox of the call it runs in, as context.invoke is.
        services = self.services if parent is None or parent.runtime is not self else parent.services
        if sandbox is not None:
            services = narrowed(services, sandbox, "invoke")
        if type(input) is not kind.input:
            input = entered(kind, input)
        if type(handler) is PureHandler and timeout is None and registration.takes_at_once():
            # It ends before anything else can happen: there is nothing to interrupt, to wait for or to be told of.
            return handler.function(input)
        call = Invocation(registration, services, task, parent)
        if timeout is not None:
            call.deadline = task.get_loop().time() + seconds(timeout, "invoke")
        return await call.run(kind, handler, input, timeout)

    async def run(
        self,
        graph: Graph[In],
        input: In,
        *,
        concurrency: int | None = None,
        timeout: float | None = None,
        sandbox: Sandbox | None = None,
        into: Outputs | None = None,
    ) -> Outputs:
        """Run a graph and return the outputs of its nodes, which are found by step or by id.

        `concurrency` bounds how many nodes of this run go on at once; omitted, it is what the configuration says, or
        unlimited. `timeout` (seconds) and `sandbox` are those of :meth:`invoke`, for the run as a whole. `into` is
        filled while nodes end.

        Nothing has run when :class:`NodeUnavailable` says that nobody offers one of the nodes, nor when anything
        about the arguments is refused, as :meth:`invoke` does. When a node fails, no further one begins, those that
        run come to their end, and the first error is raised unchanged, with a note that names graph and node.
        Cancelling the caller's task cancels the nodes that run, and waits for them. Statuses such as ``failed`` are
        results and end no run.
        """
        parent, services = self._around("run", sandbox)
        deadline = self._deadline(timeout, "run")
        work = GraphRun(
            self,
            graph,
            input,
            Outputs() if into is None else into,
            services=services,
            parent=parent,
            concurrency=self._limit(concurrency, "run"),
            deadline=deadline,
        )
        name = f"Graph {graph.name!r}: the run"
        return await self.runs.keep(
            until(deadline, work.run(), lambda: timed_out(name, timeout, started=work.started))
        )

    async def loop(
        self,
        loop: Loop[S],
        state: S,
        *,
        concurrency: int | None = None,
        timeout: float | None = None,
        sandbox: Sandbox | None = None,
    ) -> S:
        """Run a loop from a state on, and return the first state of which it is done.

        The options are those of :meth:`run`, for the loop as a whole; between two iterations other tasks get their
        turn. Raises what a run raises, what the loop's functions raise, and :class:`LoopExhausted`, which holds the
        last state, when the loop is not done after as many iterations as it may have.
        """
        parent, services = self._around("loop", sandbox)
        deadline = self._deadline(timeout, "loop")
        work = LoopRun(
            self,
            loop,
            services=services,
            parent=parent,
            concurrency=self._limit(concurrency, "loop"),
            max_iterations=self._max_iterations,
            deadline=deadline,
        )
        return await self.runs.keep(
            until(deadline, work.run(state), lambda: timed_out("The loop", timeout, started=work.started))
        )

    async def invoke_within(self, parent: Invocation, node: Any, input: Any) -> Any:
        """Run a node on behalf of a running call: no slot, the parent's sandbox and deadline, also while draining.

        A node of the caller's own worker runs on the caller's own registration, exposed or not.
        """
        task = asyncio.current_task()
        if self.closed or task is None:
            raise RuntimeClosed("The runtime is closed: nothing has run.", started=False)
        registration, kind, handler = self.routes.find_within(parent.registration, node)
        if type(input) is not kind.input:
            input = entered(kind, input)
        call = Invocation(registration, parent.services, task, parent)
        call.nested = True
        call.deadline = parent.deadline
        call.run_of, call.step = parent.run_of, parent.step
        return await call.run(kind, handler, input)

    async def run_within(
        self, parent: Invocation, graph: Graph[Any], input: Any, concurrency: int | None, into: Outputs | None
    ) -> Outputs:
        """Run a graph on behalf of a running call, as :meth:`invoke_within` runs a node."""
        work = GraphRun(
            self,
            graph,
            input,
            Outputs() if into is None else into,
            services=parent.services,
            parent=parent,
            nested=True,
            concurrency=self._limit(concurrency, "run"),
            deadline=parent.deadline,
        )
        return await work.run()

    def _around(self, method: str, sandbox: Sandbox | None) -> tuple[Invocation | None, Services]:
        """Return the call that the caller runs in, and what bounds a run that is asked for there."""
        self._check_entry(asyncio.current_task(), method)  # type: ignore[unused-awaitable]
        parent = open_call()
        services = self.services if parent is None or parent.runtime is not self else parent.services
        return parent, services if sandbox is None else narrowed(services, sandbox, method)

    def _limit(self, concurrency: int | None, method: str) -> int | None:
        return self._concurrency if concurrency is None else limit(concurrency, method)

    def _deadline(self, timeout: float | None, method: str) -> float | None:
        return None if timeout is None else asyncio.get_running_loop().time() + seconds(timeout, method)

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
        await drain(tuple(self._registrations), timeout, grace, self.runs)
        self.closed = True
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

    def _check_entry(self, task: asyncio.Task[Any] | None, method: str) -> asyncio.Task[Any]:
        if task is None:
            raise WrongEventLoop(f"Runtime.{method}: call it from an asyncio task.")
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
