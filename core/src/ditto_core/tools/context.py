"""The context that a handler and a tool receive."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ..contracts.json_values import JsonObject, JsonValue, check_json
from ..errors import InvalidInput, InvalidValue
from ..sandbox import Sandbox
from ..text import describe, quote
from .scope import CallScope, Execution, Services, WorkerAddress

if TYPE_CHECKING:
    from ..graph.graph import Graph
    from ..graph.outputs import Outputs
    from ..log import Log
    from ..plugins.origin import Origin
    from ..ports import WebSearchProvider
    from ..worker.node import Node

_new = object.__new__

R = TypeVar("R")
In = TypeVar("In")
Out = TypeVar("Out")


class ToolContext:
    """What a call may use: identity, services, further calls, a log.

    The runtime makes one for each call. Made by hand, ``ToolContext(sandbox=…, call_id="c1")``, it lets a tool be
    called from a REPL or a test: everything works but what needs a runtime (:meth:`invoke`, :meth:`run`).
    """

    # Defaults stand on the class, so that a call pays only for what it sets.
    call_id = ""
    _tool: str | None = None
    _origin: Origin | None = None

    def __init__(
        self,
        *,
        call_id: str = "",
        sandbox: Sandbox | None = None,
        config: Any = None,
        providers: Mapping[str, WebSearchProvider] | None = None,
    ) -> None:
        if sandbox is not None and not isinstance(sandbox, Sandbox):
            raise InvalidValue("ToolContext.sandbox", f"must be a Sandbox, not {describe(sandbox)}")
        services = Services(
            sandbox=sandbox or Sandbox(), config=config, providers=MappingProxyType(dict(providers or {}))
        )
        self.call_id = call_id
        self._scope = CallScope(services)

    @classmethod
    def of(cls, scope: CallScope) -> ToolContext:
        """Return the context of a call that a runtime has begun."""
        self: ToolContext = _new(cls)
        self._scope = scope
        return self

    def for_tool(self, call_id: str, tool: str, origin: Origin | None) -> ToolContext:
        """Return this context as one tool call sees it."""
        context: ToolContext = _new(ToolContext)
        context._scope = self._scope
        context.call_id = call_id
        context._tool = tool
        context._origin = origin
        return context

    @property
    def services(self) -> Services:
        """The sandbox, the configuration and the providers."""
        return self._scope.services

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox to ask for permission and to reach files and commands through."""
        return self._scope.services.sandbox

    @property
    def config(self) -> Any:
        """The configuration that the application gave to the runtime, or None."""
        return self._scope.services.config

    @property
    def worker(self) -> WorkerAddress | None:
        """The worker that runs the call, or None outside a runtime."""
        return self._scope.worker

    @property
    def resources(self) -> Any:
        """What the worker's ``resources()`` returned for this registration, or None."""
        return self._scope.resources

    @property
    def execution(self) -> Execution | None:
        """The graph node that the call belongs to, or None."""
        return self._scope.execution

    @property
    def deadline(self) -> float | None:
        """When the call's ``timeout=`` ends, in the event loop's time (seconds), or None."""
        return self._scope.deadline

    @property
    def log(self) -> Log:
        """A logger bound to the plugin, the tool and the call id; every event stays on one line."""
        from ..log import Log

        names = {"plugin": self._origin.plugin if self._origin else None, "tool": self._tool}
        return Log(call_id=self.call_id, **{key: name for key, name in names.items() if name is not None})

    @overload
    async def invoke(self, node: Node[In, Out], input: In | JsonObject) -> Out: ...
    @overload
    async def invoke(self, node: str, input: Any) -> Any: ...
    async def invoke(self, node: Any, input: Any) -> Any:
        """Run another node as part of this call: it takes no slot, and what may be seen is no more than here.

        A node of this handler's own worker runs on the same registration, exposed or not; any other is routed.
        Raises what :meth:`Runtime.invoke` raises, and :class:`ContextClosed` once the handler has returned.
        """
        self._scope.check_open(self.call_id, "invoke")
        return await self._scope.invoke(node, input)

    async def run(
        self, graph: Graph[In], input: In, *, concurrency: int | None = None, into: Outputs | None = None
    ) -> Outputs:
        """Run a graph as part of this call: its nodes take no slots, and what may be seen is no more than here.

        Nodes of this handler's own worker run on the same registration, exposed or not. `concurrency` and `into` are
        those of :meth:`Runtime.run`. Raises what that raises, and :class:`ContextClosed` once the handler is done.
        """
        self._scope.check_open(self.call_id, "run")
        return await self._scope.run_graph(graph, input, concurrency, into)

    def emit(self, event: JsonValue) -> None:
        """Tell the application's listener (``Runtime(on_event=…)``) of an event; nobody listening is fine.

        Usable from a tool's thread. Raises :class:`InvalidValue` for what is no JSON, :class:`ContextClosed` once
        the handler has returned.
        """
        self._scope.check_open(self.call_id, "emit")
        check_json(event, "event")
        self._scope.emit(self.call_id, event)

    async def in_thread(self, function: Callable[..., R], *args: Any) -> R:
        """Return what a plain function returns, run in a daemon thread of the runtime.

        Cancelling frees the caller and not the thread: the slot of the call stays taken until the function ends.
        """
        self._scope.check_open(self.call_id, "in_thread")
        return await self._scope.in_thread(function, *args)

    def wait(self, awaitable: Awaitable[R]) -> R:
        """Wait for something asynchronous from a plain function's thread, and return its result.

        When the call ends or is cancelled, so is the wait. Raises :class:`InvalidInput` on the event loop's own
        thread, :class:`ContextClosed` once the handler has returned.
        """
        try:
            self._scope.check_open(self.call_id, "wait")
            loop = self._scope.loop
            if loop is None or _on_a_loop():
                raise InvalidInput(
                    f"context.wait of call {quote(self.call_id)}: only a plain function in a thread may wait. "
                    "In an async function use await."
                )
        except BaseException:
            if inspect.iscoroutine(awaitable):
                awaitable.close()
            raise
        return self._scope.wait(awaitable, loop)


def _on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
