"""What one call may use while it runs; a runtime makes one per call, a REPL or a test gets a free-standing one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from ..errors import ContextClosed, NodeUnavailable
from ..text import quote
from ..threads import SHARED, DaemonThreads

if TYPE_CHECKING:
    from ..graph.outputs import Outputs
    from ..ports import WebSearchProvider
    from ..sandbox import Sandbox

R = TypeVar("R")


@attrs.frozen(kw_only=True, eq=False)
class Services:
    """What a runtime lends to its calls: the sandbox, the application's configuration, search providers by name.

    ``providers`` is read-only.
    """

    sandbox: Sandbox
    config: Any = None
    providers: Mapping[str, WebSearchProvider] = MappingProxyType({})


@attrs.frozen(kw_only=True)
class WorkerAddress:
    """Which registration of which worker runs a call."""

    type: str
    id: str


@attrs.frozen(kw_only=True)
class Execution:
    """Which node of which run of which graph a call belongs to."""

    graph: str
    run: str
    node: str


class CallScope:
    """The services of one call, and the end of it: closed, nothing further may be asked of it."""

    # Defaults stand on the class, so that a call pays only for what it sets.
    deadline: float | None = None
    closed = False
    loop: asyncio.AbstractEventLoop | None = None
    waits: set[Future[Any]] | None = None

    def __init__(self, services: Services) -> None:
        self.services = services

    @property
    def execution(self) -> Execution | None:
        """The node of a graph's run that the call belongs to; a free-standing scope belongs to none."""
        return None

    @property
    def worker(self) -> WorkerAddress | None:
        """The worker that runs the call; a free-standing scope has none."""
        return None

    @property
    def resources(self) -> Any:
        """What the worker made for its registration."""
        return None

    @property
    def threads(self) -> DaemonThreads:
        """Where plain functions run."""
        return SHARED

    def check_open(self, call_id: str, what: str) -> None:
        """Raise :class:`ContextClosed` once the handler of the call has returned."""
        if self.closed:
            raise ContextClosed(
                f"context.{what} of call {quote(call_id)}: its handler has returned. "
                "Await everything inside the handler, or call through the runtime."
            )

    def end_waits(self) -> None:
        """Cancel what threads still wait for on behalf of a call that has ended."""
        for waiting in list(self.waits or ()):
            waiting.cancel()

    async def invoke(self, node: Any, input: Any) -> Any:
        """Run another node on behalf of this call; a free-standing scope has no node to offer."""
        raise NodeUnavailable("This context belongs to no runtime, so no node is available. Invoke it through one.")

    async def run_graph(self, graph: Any, input: Any, concurrency: int | None, into: Outputs | None) -> Outputs:
        """Run a graph on behalf of this call; a free-standing scope has no node to offer."""
        raise NodeUnavailable("This context belongs to no runtime, so no graph can run. Run it through one.")

    def emit(self, call_id: str, event: Any) -> None:
        """Tell whoever listens; nobody listens to a free-standing scope."""

    async def in_thread(self, function: Callable[..., R], *args: Any) -> R:
        """Run a plain function in a daemon thread with this call's context variables."""
        self.loop = asyncio.get_running_loop()
        return await self.threads.run(function, *args)

    def wait(self, awaitable: Awaitable[R], loop: asyncio.AbstractEventLoop) -> R:
        """Wait, from a thread that :meth:`in_thread` started, for something that its event loop has to do."""
        waiting = asyncio.run_coroutine_threadsafe(_awaited(awaitable), loop)
        if self.waits is None:
            self.waits = set()
        self.waits.add(waiting)
        if self.closed:
            waiting.cancel()
        try:
            with self.threads.waiting():
                return waiting.result()
        finally:
            self.waits.discard(waiting)


async def _awaited(awaitable: Awaitable[R]) -> R:
    return await awaitable
