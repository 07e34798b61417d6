"""Handlers that do what a test tells them, step by step, on an event loop whose clock the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Literal

import attrs

from ditto_core import (
    CallTimeout,
    DittoError,
    Graph,
    NodeUnavailable,
    Outputs,
    Registration,
    Runtime,
    RuntimeClosed,
    Step,
    ToolContext,
    Worker,
    WorkerBusy,
)
from ditto_core.worker.node import Node

SHAPES: list[list[list[int]]] = [[[]], [[], []], [[], [0], [0], [1, 2]], [[], [], [0, 1]], [[], [0], [1]], [[]] * 4]
"""Graphs, as the list of whom each node waits for."""


class Boom(Exception):
    """What a puppet raises when it is told to."""


@attrs.define(eq=False)
class Caller:
    """A task that calls or runs something, and what has been done to it."""

    kind: Literal["invoke", "run"]
    type: str
    deadline: float | None
    task: asyncio.Task[Any] = attrs.field(init=False)
    refusal: type[DittoError] | None = None
    """What the model says must refuse it before anything runs."""
    after: list[list[int]] = attrs.field(factory=list)
    puppets: list[Puppet] = attrs.field(factory=list)
    returned: set[int] = attrs.field(factory=set)
    cancelled: bool = False
    failed: bool = False
    interrupted_at: float | None = None
    """When closing of something that it may depend on interrupts it; what waits for a slot ends before that."""
    limit: int = 99
    """How many of its nodes may run at once."""
    lost_route: bool = False
    """Whether a node's last worker has been unregistered meanwhile."""


@attrs.frozen(eq=False)
class Order:
    """The input of a puppet: whose it is, which node of the caller's graph, and the puppet that called it."""

    caller: Caller
    index: int = 0
    outer: Puppet | None = None


@attrs.define(eq=False)
class Puppet:
    """A handler at work."""

    order: Order
    context: ToolContext
    commands: asyncio.Queue[Any] = attrs.field(factory=asyncio.Queue)
    stubborn: bool = False
    """Whether it swallows its cancellations."""
    inner: int = 0
    """How many nested calls and runs it waits for."""


class Stage:
    """All puppets, and what has gone wrong with them."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.now = 1000.0
        self.loop.time = lambda: self.now  # type: ignore[method-assign]
        self.puppets: list[Puppet] = []
        self.callers: list[Caller] = []
        self.wrong: list[str] = []

    def settle(self) -> None:
        """Let everything happen that needs no further command and no time."""

        async def turns() -> None:
            for _ in range(40):
                await asyncio.sleep(0)

        self.loop.run_until_complete(turns())

    def begin(self, caller: Caller, work: Coroutine[Any, Any, Any]) -> None:
        """Start a caller and let it come as far as it can."""
        caller.task = self.loop.create_task(work)
        self.callers.append(caller)
        self.settle()

    def worker(self, type: str, concurrency: int | None, max_waiting: int) -> Worker:
        """Return a worker of puppets, with an exposed node and a hidden one."""
        nodes = [node(type).define(type, self._act), node(type, "HIDDEN").define(type, self._act)]
        return Worker(type, nodes, expose=[node(type)], concurrency=concurrency, max_waiting=max_waiting)

    def graph(self, after: list[list[int]], order: Order, what: str = "DO") -> Graph[Order]:
        """Return a graph of puppets; each node has a caller's number to work under."""
        graph: Graph[Order] = Graph("g", Order)
        steps: list[Step[Any]] = []
        for index, waits_for in enumerate(after):
            made = Order(order.caller, index if order.outer is None else -1, order.outer)
            called = node(order.caller.type, what)
            steps.append(graph.add(f"n{index}", called, _returning(made), after=[steps[one] for one in waits_for]))
        return graph

    async def _act(self, order: Order, context: ToolContext) -> int:
        puppet = Puppet(order, context)
        self._check_begins(order)
        self.puppets.append(puppet)
        order.caller.puppets.append(puppet)
        try:
            while True:
                try:
                    match await puppet.commands.get():
                        case "return":
                            if order.outer is None:
                                order.caller.returned.add(order.index)
                            return order.index
                        case Boom() as error:
                            order.caller.failed |= order.outer is None
                            raise error
                        case work:
                            puppet.inner += 1
                            try:
                                await work(puppet)
                            except (Boom, DittoError):
                                pass  # of what it called: nothing to it
                            finally:
                                puppet.inner -= 1
                except asyncio.CancelledError:
                    if not puppet.stubborn:
                        raise
        finally:
            self.puppets.remove(puppet)

    def _check_begins(self, order: Order) -> None:
        caller = order.caller
        if order.outer is None and caller.kind == "run":
            if caller.failed or (caller.task.done()):
                self.wrong.append("a node began after its run had failed or ended")
            if not set(caller.after[order.index]) <= caller.returned:
                self.wrong.append("a node began before those it waits for had ended")
        if order.outer is not None and order.outer not in self.puppets:
            self.wrong.append("a nested call began after its handler had returned")

    def judge(self, caller: Caller) -> None:
        """Note what is wrong with the way in which a caller has ended."""
        task = caller.task
        if [puppet for puppet in caller.puppets if puppet in self.puppets and puppet.order.outer is None]:
            self.wrong.append(f"{caller.kind} ended and left a handler behind")
        if task.cancelled():
            found = "cancelled"
        else:
            error = task.exception()
            found = type(error).__name__ if error is not None else "success"
            if isinstance(error, (CallTimeout, RuntimeClosed)):
                began = any(puppet.order.outer is None for puppet in caller.puppets)
                if error.started != began:
                    self.wrong.append(f"{found} says started={error.started}")
        if found not in self._right_ends(caller):
            self.wrong.append(f"{caller.kind} ended in {found}, not one of {sorted(self._right_ends(caller))}")

    def check_on(self, caller: Caller, *, closed_at: float | None) -> None:
        """Note it when a caller that is on its way should have ended, or does too much at once."""
        over = [at for at in (caller.deadline, closed_at) if at is not None and at <= self.now]
        if (caller.cancelled or over) and not any(puppet.stubborn for puppet in caller.puppets):
            self.wrong.append(f"{caller.kind} goes on after its end")
        mine = [puppet for puppet in self.puppets if puppet.order.caller is caller and puppet.order.outer is None]
        if len(mine) > caller.limit:
            self.wrong.append(f"{len(mine)} nodes run at once")

    def _right_ends(self, caller: Caller) -> set[str]:
        if caller.refusal is not None:
            return {caller.refusal.__name__}
        ends: set[str] = set()
        if caller.cancelled:
            ends = {"cancelled"}
            if caller.kind == "invoke" and caller.failed:  # it was told to raise, in place of its cancellation
                ends.add(Boom.__name__)
            return ends
        if caller.deadline is not None and caller.deadline <= self.now:
            ends.add(CallTimeout.__name__)
        refused = caller.kind == "invoke" and not caller.puppets
        if caller.interrupted_at is not None and (refused or caller.interrupted_at <= self.now):
            ends.add(RuntimeClosed.__name__)
        if caller.lost_route and caller.kind == "run":
            ends.add(NodeUnavailable.__name__)
        if caller.failed:
            ends.add(Boom.__name__)
        elif len(caller.returned) == max(1, len(caller.after)):
            ends.add("success")
        return ends


def node(type: str, what: str = "DO") -> Node[Order, int]:
    """Return a node of the puppets of one type."""
    return Node(f"{type}.{what}", Order, int)


def expected_refusal(
    runtime: Runtime, name: str, pinned: Registration | None = None, *, closing: bool
) -> type[DittoError] | None:
    """Return what must become of a call that is made now, as the registrations' own state tells it."""
    if closing:
        return RuntimeClosed
    routes = [route for route in runtime.routes.to(node(name)) if pinned in (None, route[0])]
    if not routes:
        return NodeUnavailable
    registration = min(routes, key=lambda route: len(route[0].calls))[0]
    slots = registration.worker.concurrency
    if slots is not None and registration._claims >= slots + registration.worker.max_waiting:
        return WorkerBusy
    return None


def filled(outputs: Outputs, caller: Caller) -> bool:
    """Tell whether a run's outputs are exactly those of the puppets that have returned."""
    return set(outputs) == {f"n{index}" for index in caller.returned}


def _returning(order: Order) -> Any:
    return lambda run, *outputs: order
