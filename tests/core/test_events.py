"""How observers are told of a call: both ends of it, whatever becomes of it."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ditto_core import CallFinished, CallStarted, ExternalResult, InteractionError, OutputReceipt, WorkerBusy
from ditto_core.events import observed
from tests.support import run


class Observer:
    """Keeps what it is told, and raises where it is told to."""

    def __init__(self, **interrupts: BaseException) -> None:
        self.started_events: list[CallStarted] = []
        self.finished_events: list[CallFinished] = []
        self.interrupts = interrupts

    def started(self, event: CallStarted) -> None:
        self.started_events.append(event)
        if "started" in self.interrupts:
            raise self.interrupts["started"]

    def finished(self, event: CallFinished) -> None:
        self.finished_events.append(event)
        if "finished" in self.interrupts:
            raise self.interrupts["finished"]


def observing(run: Callable[[], Awaitable[Any]], *observers: Observer, call_id: str = "c1") -> Any:
    return observed(observers, run, node="ACME.RUN", name="x", call_id=call_id, origin=None)


def result(status: Any, **more: Any) -> ExternalResult:
    return ExternalResult(call_id="c1", source="x", status=status, **more)


TOO_SLOW = InteractionError(code="SLOW", message="too slow")


@pytest.mark.promise("D-PLUG-18")
@pytest.mark.parametrize(
    ("ending", "outcome", "error"),
    [
        (result("success", content=None), "success", None),
        (result("success", content=None, error=TOO_SLOW), "success", "SLOW"),
        (result("timeout", error=TOO_SLOW), "timeout", "SLOW"),
        (OutputReceipt(delivery_id="d1", status="accepted"), "accepted", None),
        (OutputReceipt(delivery_id="d1", status="rejected", error=TOO_SLOW), "rejected", "SLOW"),
        ("any other answer", "success", None),
        (WorkerBusy("full"), "refused", "WorkerBusy"),
        (ValueError("secret"), "raised", "ValueError"),
        (KeyboardInterrupt(), "raised", "KeyboardInterrupt"),
        (asyncio.CancelledError(), "cancelled", "CancelledError"),
    ],
)
def test_the_outcome_says_how_a_call_ended(ending: Any, outcome: str, error: str | None) -> None:
    async def body() -> Any:
        if isinstance(ending, BaseException):
            raise ending
        return ending

    observer = Observer()
    coroutine = observing(body, observer)
    with pytest.raises(type(ending) if isinstance(ending, BaseException) else StopIteration) as raised:
        coroutine.send(None)
    assert ending in (raised.value, getattr(raised.value, "value", None))
    (finished,) = observer.finished_events
    assert [finished.call] == observer.started_events
    assert (finished.outcome, finished.error) == (outcome, error)
    assert "secret" not in repr(finished)


@pytest.mark.promise("D-PLUG-18")
def test_a_call_that_cannot_even_be_begun_is_finished() -> None:
    def refuse() -> Awaitable[Any]:
        raise WorkerBusy("full")

    async def scenario() -> None:
        observer = Observer()
        with pytest.raises(WorkerBusy):
            await observing(refuse, observer)
        assert [event.outcome for event in observer.finished_events] == ["refused"]

    run(scenario())


@pytest.mark.promise("D-PLUG-18")
@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), asyncio.CancelledError()])
def test_an_interrupt_in_an_observer_passes_and_whoever_was_told_of_the_beginning_is_told_of_the_end(
    interrupt: BaseException,
) -> None:
    async def body() -> None: ...

    for where, told in ({"started": [1, 1, 0], "finished": [1, 1, 1]}).items():
        observers = [Observer(), Observer(**{where: interrupt}), Observer()]
        with pytest.raises(type(interrupt)):
            observing(body, *observers).send(None)
        assert [len(observer.started_events) for observer in observers] == told
        assert [len(observer.finished_events) for observer in observers] == told


@pytest.mark.promise("D-PLUG-17")
def test_the_parent_is_the_call_that_a_call_was_made_from_also_in_other_tasks_and_threads() -> None:
    observer = Observer()

    async def inner() -> None: ...

    async def outer() -> None:
        await observing(inner, observer, call_id="same task")
        await asyncio.create_task(observing(inner, observer, call_id="other task"))
        context = contextvars.copy_context()
        await asyncio.to_thread(context.run, asyncio.run, observing(inner, observer, call_id="thread"))

    async def scenario() -> None:
        await observing(outer, observer, call_id="outer")
        await observing(inner, observer, call_id="after")

    run(scenario())
    parents = {event.call_id: event.parent and event.parent.call_id for event in observer.started_events}
    inside = dict.fromkeys(["same task", "other task", "thread"], "outer")
    assert parents == {"outer": None, "after": None, **inside}
