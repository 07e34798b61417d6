"""Everything that can be done to a runtime, in any order: no slot is lost, no task left, nobody refused wrongly.

``DITTO_MACHINE_STEPS`` and ``DITTO_MACHINE_EXAMPLES`` say how many steps an example has and how many there are;
``DITTO_MACHINE_SHRINK=1`` makes a failure short, which may take minutes.
"""

from __future__ import annotations

import asyncio
import os
from functools import partial
from math import inf
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ditto_core import Registration, Runtime
from tests.support.puppets import (
    SHAPES,
    Boom,
    Caller,
    Order,
    Puppet,
    Stage,
    expected_refusal,
    filled,
    node,
)

pytestmark = [
    pytest.mark.promise("D-WRK-03", "D-WRK-04", "D-WRK-06", "D-WRK-08", "D-WRK-11", "COMP-08", "D-GRAPH-05"),
    pytest.mark.case("ASYNC-02", "ASYNC-03"),
]

PICK = st.integers(0, 99)
TIMEOUTS = st.none() | st.none() | st.sampled_from([1.0, 4.0])
TYPES = st.sampled_from(["A", "B"])


class Life(RuleBasedStateMachine):
    """A runtime, its callers, and the handlers at work. Type A has short lines; runs go to type B, whose are long."""

    def __init__(self) -> None:
        super().__init__()
        self.stage = Stage()
        self.runtime = Runtime()
        self.registrations: list[Registration] = []
        self.ends: list[asyncio.Task[None]] = []
        self.closing_at: float | None = None
        self.settled = True

    # What can be done

    @initialize(of_a=st.integers(1, 2), of_b=st.none() | st.integers(1, 3))
    def begin(self, of_a: int, of_b: int | None) -> None:
        self.register("A", of_a, 1)
        self.register("B", of_b, 0)

    @rule(type=TYPES, concurrency=st.none() | st.integers(1, 3), max_waiting=st.integers(0, 2))
    def register(self, type: str, concurrency: int | None, max_waiting: int) -> None:
        self.calm()
        if self.closing_at is None and len(self.registrations) < 6:
            worker = self.stage.worker(type, concurrency, max_waiting if type == "A" else 10_000)
            self.registrations.append(self.runtime.register(worker))

    @precondition(lambda self: len(self.registrations) > 2)
    @rule(pick=PICK)
    def unregister(self, pick: int) -> None:
        self.calm()
        self._one(self.registrations, pick).unregister()
        self._note_lost_routes()

    @precondition(lambda self: len(self.registrations) > 2)
    @rule(pick=PICK)
    def close_registration(self, pick: int) -> None:
        self.calm()
        registration = self.registrations.pop(pick % len(self.registrations))
        for caller in self.stage.callers:
            caller.interrupted_at = min(caller.interrupted_at or inf, self.stage.now + 3)
        self.ends.append(self.stage.loop.create_task(registration.aclose(timeout=3, grace=3)))
        self.calm()
        self._note_lost_routes()

    @rule(type=TYPES, timeout=TIMEOUTS, pin=st.none() | st.none() | PICK)
    def invoke(self, type: str, timeout: float | None, pin: int | None) -> None:
        self.calm()
        caller = Caller("invoke", type, None if timeout is None else self.stage.now + timeout)
        pinned: Registration | None = None
        if pin is not None and self.registrations and self.closing_at is None:
            pinned = self._one(self.registrations, pin)
            type = caller.type = self._one(self.registrations, pin).worker.type
        caller.refusal = expected_refusal(self.runtime, type, pinned, closing=self.closing_at is not None)
        work = self.runtime.invoke(node(type), Order(caller), timeout=timeout, worker=pinned)
        self.stage.begin(caller, work)

    @rule(shape=st.sampled_from(SHAPES), timeout=TIMEOUTS, limit=st.none() | st.integers(1, 3))
    def run(self, shape: list[list[int]], timeout: float | None, limit: int | None) -> None:
        self.calm()
        caller = Caller("run", "B", None if timeout is None else self.stage.now + timeout, after=shape)
        caller.refusal = expected_refusal(self.runtime, "B", closing=self.closing_at is not None)
        caller.limit = limit or len(shape)
        graph = self.stage.graph(shape, Order(caller))
        work = self.runtime.run(graph, Order(caller), timeout=timeout, concurrency=limit)
        self.stage.begin(caller, work)

    @precondition(lambda self: self.stage.puppets)
    @rule(pick=PICK, error=st.booleans(), calm=st.booleans())
    def end_a_handler(self, pick: int, *, error: bool, calm: bool) -> None:
        puppet = self._one(self.stage.puppets, pick)
        puppet.commands.put_nowait(Boom() if error else "return")
        self.calm(unless=not calm)

    @precondition(lambda self: self.stage.puppets)
    @rule(pick=PICK, what=st.none() | st.sampled_from(SHAPES), left=st.booleans())
    def call_from_inside(self, pick: int, what: list[list[int]] | None, *, left: bool) -> None:
        self.calm()
        if self.stage.puppets:
            puppet = self._one(self.stage.puppets, pick)
            puppet.commands.put_nowait(partial(self._inside, what, left=left))
            self.calm()

    @precondition(lambda self: self.stage.puppets)
    @rule(pick=PICK)
    def make_stubborn(self, pick: int) -> None:
        self._one(self.stage.puppets, pick).stubborn = True

    @precondition(lambda self: any(not caller.task.done() for caller in self.stage.callers))
    @rule(pick=PICK, calm=st.booleans())
    def cancel(self, pick: int, *, calm: bool) -> None:
        open = [caller for caller in self.stage.callers if not caller.task.done()]
        caller = self._one(open, pick)
        caller.task.cancel()
        caller.cancelled = True
        self.calm(unless=not calm)

    @rule(seconds=st.sampled_from([0.5, 2.0]))
    def let_time_pass(self, seconds: float) -> None:
        self.calm()
        self.stage.now += seconds
        self.calm()

    @precondition(lambda self: len(self.stage.callers) > 4 and self.closing_at is None)
    @rule()
    def close(self) -> None:
        self.calm()
        self.closing_at = self.stage.now
        for caller in self.stage.callers:
            caller.interrupted_at = min(caller.interrupted_at or inf, self.stage.now + 3)
        self.ends.append(self.stage.loop.create_task(self.runtime.aclose(timeout=3, grace=3)))
        self.calm()

    # What always holds

    @invariant()
    def holds(self) -> None:
        if not self.settled:
            return
        assert self.stage.wrong == [], self.stage.wrong
        for caller in self.stage.callers:
            if caller.task.done():
                self.stage.judge(caller)
                if caller.kind == "run" and not caller.task.cancelled() and caller.task.exception() is None:
                    assert filled(caller.task.result(), caller)
            else:
                closed_at = None if self.closing_at is None else self.closing_at + 3
                self.stage.check_on(caller, closed_at=closed_at)
        assert self.stage.wrong == [], self.stage.wrong
        self.stage.callers = [caller for caller in self.stage.callers if not caller.task.done()]
        for registration in self.registrations:
            self._check_slots(registration)

    def _check_slots(self, registration: Registration) -> None:
        here = [puppet for puppet in self.stage.puppets if puppet.context.worker == registration.address]
        outer = [puppet for puppet in here if puppet.order.outer is None]
        waiting = [call for call in registration.calls if not call.started]
        assert len(registration.calls) == len(here) + len(waiting)
        slots = registration.worker.concurrency
        if slots is None or registration._slots is None:
            assert not waiting
            return
        assert registration._claims == len(outer) + len(waiting)
        assert registration._slots._value == slots - len(outer)
        assert not waiting or len(outer) == slots

    def teardown(self) -> None:
        self.calm()
        try:
            self._wind_up()
        finally:
            self._clear_away()
            self.stage.loop.close()

    def _clear_away(self) -> None:
        """Cancel what a failure has left behind, or it would turn up in the tests that follow."""
        for _ in range(10):
            for puppet in self.stage.puppets:
                puppet.stubborn = False
            left = asyncio.all_tasks(self.stage.loop)
            if not left:
                break
            for task in left:
                task.cancel()
            self.calm()

    def _wind_up(self) -> None:
        """Let everything end; whatever cannot is a slot, a task or a caller that got lost."""
        self.holds()
        before: list[Puppet] | None = None
        while self.stage.puppets != before:
            before = list(self.stage.puppets)
            for puppet in before:
                puppet.stubborn = False
                if not puppet.inner:
                    puppet.commands.put_nowait("return")
            self.calm()
        self.holds()
        assert (self.stage.puppets, self.stage.callers) == ([], [])
        self.ends.append(self.stage.loop.create_task(self.runtime.aclose(timeout=3, grace=3)))
        self.calm()
        assert all(end.done() and end.exception() is None for end in self.ends)
        assert not self.runtime.runs
        assert asyncio.all_tasks(self.stage.loop) == set()

    # How

    def calm(self, *, unless: bool = False) -> None:
        """Let things happen, unless more is to be done in the same step."""
        self.settled = not unless
        if self.settled:
            self.stage.settle()

    async def _inside(self, shape: list[list[int]] | None, puppet: Puppet, *, left: bool) -> None:
        """Invoke or run something nested, and wait for it or leave it to itself."""
        order = Order(puppet.order.caller, -1, puppet)
        if shape is None:
            work: Any = puppet.context.invoke(node(order.caller.type, "HIDDEN"), order)
        else:
            work = puppet.context.run(self.stage.graph(shape, order, "HIDDEN"), order)
        if left and shape is not None:
            self.stage.loop.create_task(work).add_done_callback(_forget)
        else:
            await work

    def _note_lost_routes(self) -> None:
        for caller in self.stage.callers:
            caller.lost_route |= not self.runtime.routes.to(node(caller.type))

    def _one(self, some: list[Any], pick: int) -> Any:
        return some[pick % len(some)]


def _forget(task: asyncio.Task[Any]) -> None:
    """Take note of how a task has ended that nobody waits for."""
    if not task.cancelled():
        task.exception()


def _scaled(name: str, usual: int) -> int:
    return int(os.environ.get(f"DITTO_MACHINE_{name}", usual))


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=_scaled("EXAMPLES", 60),
    stateful_step_count=_scaled("STEPS", 40),
    phases=(Phase.generate, Phase.shrink) if _scaled("SHRINK", 0) else (Phase.generate,),
    report_multiple_bugs=False,
)
