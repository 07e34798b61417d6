"""OS-001 to OS-010: what becomes of a delivery, and what its receipt says of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from typing import Any

import attrs
from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    Artifact,
    InvalidReceipt,
    Message,
    OutputReceipt,
    OutputRequest,
    OutputSink,
    Reference,
    to_wire,
)

from ..labs.blocking import blocking_calls
from ..labs.loop import Ended, settle
from ..labs.sinks import Sink, SinkLab, delivery
from ..strategies.contracts import requests
from ..strategies.texts import nasty_texts
from .model import check, fail


def _several(data: Any, least: int = 1) -> list[OutputRequest]:
    """Draw requests whose ids differ."""
    drawn = data.draw(st.lists(requests(), min_size=least, max_size=4), label="requests")
    return [attrs.evolve(request, delivery_id=f"{index}:{request.delivery_id}") for index, request in enumerate(drawn)]


def _receipt(ended: Ended, request: OutputRequest) -> OutputReceipt:
    if isinstance(ended.error, InvalidReceipt):
        fail("the sink gives no valid receipt", delivery=request.delivery_id, refused=str(ended.error))
    if ended.error is not None:
        raised = f"{type(ended.error).__name__}: {ended.error}"
        fail("the sink raises instead of giving a receipt", delivery=request.delivery_id, raised=raised)
    receipt: OutputReceipt = ended.value
    return receipt


@check(
    "OS-001",
    title="The sink has an async method deliver",
    fix="write async def deliver(self, request: OutputRequest) -> OutputReceipt",
)
def deliver_is_async(subject: Sink, data: Any) -> None:
    """A host refuses other objects."""
    try:
        sink = subject.make()
    except Exception as error:
        fail("the sink could not be made", raised=f"{type(error).__name__}: {error}")
    if isinstance(sink, type) or not inspect.iscoroutinefunction(getattr(sink, "deliver", None)):
        fail("the sink has no async method deliver", sink=type(sink).__name__)


@check(
    "OS-002",
    title="Every delivery gets a valid receipt under its own id",
    fix="return OutputReceipt(delivery_id=request.delivery_id, …); what goes wrong is 'rejected' or 'unknown' with an "
    "error, no exception",
    draws=True,
)
def every_delivery_gets_a_receipt(lab: SinkLab, data: Any) -> None:
    """An exception says nothing about the delivery: the caller can neither repeat nor forget it."""
    request = data.draw(requests(), label="request")
    sink = lab.sink.make()
    for id in (request.delivery_id, data.draw(nasty_texts(), label="another delivery id"), "the last one"):
        named = attrs.evolve(request, delivery_id=id)
        _receipt(lab.deliver(sink, named), named)


@check(
    "OS-003",
    title="A receipt names the artifacts of its request and no others",
    fix="pass request.artifacts on as they are, or leave them out",
    draws=True,
)
def artifacts_pass_through(lab: SinkLab, data: Any) -> None:
    """Whoever reads the receipt takes its artifacts for what was delivered."""
    request = data.draw(requests(), label="request")
    ended = lab.deliver(lab.sink.make(), request)
    if ended.value is None or ended.value.artifacts is UNSET or not ended.value.artifacts:
        return
    if ended.value.artifacts != request.artifacts:
        fail(
            "the receipt has other artifacts than the request",
            request=request.artifacts,
            receipt=ended.value.artifacts,
        )


def _read(lab: SinkLab, sink: OutputSink) -> list[str] | str | None:
    """Return what has arrived, None where nobody can say, or what was raised by whoever looked."""
    try:
        return lab.arrived(sink)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _arrived(lab: SinkLab, sink: OutputSink) -> list[str] | None:
    arrived = _read(lab, sink)
    if isinstance(arrived, str):
        fail("what has arrived cannot be read", delivered=arrived)
    if arrived is None and not lab.capabilities.unobservable:
        fail(
            "the contract does not say what has arrived", remedy="define delivered(), or say why not: unobservable='…'"
        )
    return arrived


@check(
    "OS-004",
    title="One request is one delivery, in order, and the receipt is true",
    fix="deliver once, without a retry of your own; 'accepted' after it has arrived, 'rejected' only if nothing has",
    draws=True,
)
def one_request_is_one_delivery(lab: SinkLab, data: Any) -> None:
    """Retries are the application's: it has the delivery id and the receipt to decide by."""
    several = _several(data)
    sink = lab.sink.make()
    before = _arrived(lab, sink)
    if before:
        fail("the receiving end of a new sink is not empty", arrived=before)
    ends = [lab.deliver(sink, request) for request in several]
    arrived = _arrived(lab, sink)
    if arrived is None:
        return
    wrong = _wrong(several, [end.value for end in ends], arrived)
    if wrong:
        fail(wrong, **_said(several, [end.value for end in ends], arrived))


def _said(several: list[OutputRequest], receipts: list[Any], arrived: list[str]) -> dict[str, Any]:
    said = [receipt.status if type(receipt) is OutputReceipt else "no receipt" for receipt in receipts]
    requests = [request.delivery_id for request in several]
    return {"receipts": dict(zip(requests, said, strict=True)), "arrived": arrived}


def _wrong(several: list[OutputRequest], receipts: list[Any], arrived: list[str], *, in_order: bool = True) -> str:
    """Compare what has arrived with what the receipts say of it; return what is wrong, or nothing."""
    said = _said(several, receipts, arrived)["receipts"]
    accepted = [id for id, status in said.items() if status == "accepted"]
    came = [id for id in arrived if id in accepted]
    if (came if in_order else sorted(came)) != (accepted if in_order else sorted(accepted)):
        return "what arrived is not what was accepted"
    if any(said.get(id) == "rejected" for id in arrived):
        return "a delivery arrived although its receipt says rejected"
    if len(set(arrived)) < len(arrived):
        return "one request is delivered more than once"
    return "" if set(arrived) <= set(said) else "something arrived that nobody sent"


@check(
    "OS-005",
    title="The request stays as it is",
    fix="copy what you change: dict(…), list(…), attrs.evolve(…)",
    draws=True,
)
def requests_stay(lab: SinkLab, data: Any) -> None:
    """The application keeps the request, for a retry or for another sink."""
    # The traps are there each time: whether a change is found is no matter of what is drawn.
    for request in (*_traps(), data.draw(requests(), label="request")):
        before = repr(to_wire(request))
        lab.deliver(lab.sink.make(), request)
        after = repr(to_wire(request))
        if before != after:
            fail("the sink changes the request", before=before, after=after)


def _traps() -> Iterator[OutputRequest]:
    """Give requests with everything in them that can be changed."""
    content: Any = {"a": [1, {"b": []}], "text": " blank ", "": None}
    artifact = Artifact(name="file", reference=Reference(uri="x:1"))
    for index, role in enumerate(("system", "user", "assistant", "tool")):
        yield OutputRequest(
            delivery_id=f"trap {index}",
            message=Message(role=role, content=content if index % 2 else [content], name="name"),  # type: ignore[arg-type]
            artifacts=(artifact, artifact),
        )


@check(
    "OS-006",
    title="Deliveries at the same time stay whole and apart",
    fix="write each delivery in one piece under a lock, and keep what belongs to one in local variables",
    draws=True,
)
def concurrent_deliveries(lab: SinkLab, data: Any) -> None:
    """A worker delivers for many tasks at once."""
    several = _several(data, least=2)
    after = lab.sink.make()
    alone = [lab.deliver(after, request).value for request in several]
    arrived = _read(lab, after)
    if None in alone or isinstance(arrived, str) or (arrived and _wrong(several, alone, arrived)):
        return  # what goes wrong one by one is the business of other checks
    sink = lab.sink.make()

    async def together() -> list[Any]:
        return await asyncio.gather(*(delivery(sink, one) for one in several), return_exceptions=True)

    ends = lab.loop.run(together())
    for request, end, before in zip(several, ends, alone, strict=True):
        if not isinstance(end, OutputReceipt):
            raised = f"{type(end).__name__}: {end}"
            fail("a delivery beside others gets no receipt of its own", delivery=request.delivery_id, raised=raised)
        if end.artifacts != before.artifacts:
            facts = {"alone": before.artifacts, "receipt": end.artifacts}
            fail("a delivery beside others gets other artifacts", delivery=request.delivery_id, **facts)
    arrived = _read(lab, sink)
    if isinstance(arrived, str):
        fail("what has arrived cannot be read", delivered=arrived)
    if arrived is not None and (wrong := _wrong(several, ends, arrived, in_order=False)):
        fail(wrong, **_said(several, ends, arrived))


@check(
    "OS-007",
    title="A receiving end that fails gives 'rejected' or 'unknown'",
    fix="catch what the other side raises and return a receipt with a fixed message; 'rejected' only if "
    "nothing arrived",
    draws=True,
    share=0.5,
)
def failure_gives_a_receipt(lab: SinkLab, data: Any) -> None:
    """A full disk or a closed connection is the everyday case in which the receipt counts."""
    if lab.sink.make_broken is None:
        if not lab.capabilities.unbreakable:
            fail("the contract has no sink that fails", remedy="define broken_sink(), or say why not: unbreakable='…'")
        return
    request = data.draw(requests(), label="request")
    receipt = _receipt(lab.deliver(lab.sink.make_broken(), request), request)
    if receipt.status == "accepted":
        fail("a delivery that failed is accepted", delivery=request.delivery_id, receipt=receipt)


@check(
    "OS-008",
    title="A cancelled delivery ends as cancelled",
    fix="let CancelledError through: catch Exception, never BaseException or CancelledError, or raise it again",
    draws=True,
)
def cancellation_passes(lab: SinkLab, data: Any) -> None:
    """Whoever cancels waits for the end; the sink goes on for the next delivery."""
    first, second = _several(data, least=2)[:2]
    point = data.draw(st.integers(0, 2) | st.integers(0, 10), label="turns of the event loop before the cancellation")
    sink = lab.sink.make()

    async def run() -> str:
        task = asyncio.ensure_future(delivery(sink, first))
        for _ in range(point):
            await asyncio.sleep(0)
        cancelled = task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return "" if task.cancelled() or not cancelled else "a receipt or another exception"

    came = lab.loop.run(run())
    if came:
        fail("a cancelled delivery does not end as cancelled", came=came, cancelled_after=point)
    ended = lab.deliver(sink, second)
    if ended.value is None and lab.deliver(lab.sink.make(), second).value is not None:
        fail("the sink delivers no more after a cancellation", then=f"{type(ended.error).__name__}: {ended.error}")


@check(
    "OS-009",
    title="A delivery leaves no task behind",
    fix="await every task that you start before you return the receipt",
    draws=True,
)
def nothing_runs_on(lab: SinkLab, data: Any) -> None:
    """What is written after the receipt is not covered by it."""
    request = data.draw(requests(), label="request")
    point = data.draw(
        st.none() | st.integers(0, 10), label="turns before the cancellation, None for an undisturbed one"
    )
    sink = lab.sink.make()

    async def run() -> list[str]:
        before = asyncio.all_tasks()
        task = asyncio.ensure_future(delivery(sink, request))
        if point is not None:
            for _ in range(point):
                await asyncio.sleep(0)
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        left = [task for task in asyncio.all_tasks() - before if not task.done()]
        names = [getattr(task.get_coro(), "__qualname__", "?") for task in left]
        for task in left:
            task.cancel()
        await settle()
        return names

    left = lab.loop.run(run())
    if left:
        fail("a delivery leaves tasks running", left=left, delivery=request.delivery_id, cancelled_after=point)


@check(
    "OS-010",
    title="A delivery does not hold up the event loop",
    fix="await asyncio.sleep, use the streams of asyncio, or do what blocks in a thread: await in_thread(…)",
    draws=True,
    share=0.5,
)
def nothing_blocks_the_loop(lab: SinkLab, data: Any) -> None:
    """While one delivery blocks, nothing else of the application goes on, not even its timeouts.

    Seen is what Python code asks the interpreter for in the thread of the event loop: time.sleep, connections of
    sockets that block, look-ups of names, and os.system. How long something takes decides nothing. Before Python 3.13
    time.sleep is seen only where it is called by that name.
    """
    request = data.draw(requests(), label="request")
    sink = lab.sink.make()
    with blocking_calls() as seen:
        lab.deliver(sink, request)
    if seen:
        fail("a delivery blocks the event loop", seen=seen, delivery=request.delivery_id)
