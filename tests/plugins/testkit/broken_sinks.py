"""For each check of output sinks a sink that breaks that rule and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import attrs

from ditto_core import Artifact, InteractionError, OutputReceipt, OutputRequest, Reference
from ditto_testkit import Sink
from ditto_testkit.fakes import RecordingSink, receipt


class GoodSink(RecordingSink):
    """Keeps every rule; the others change one thing."""

    @property
    def ids(self) -> list[str]:
        return [request.delivery_id for request in self.requests]


class FailingSink:
    """Its receiving end is always broken, and it says so."""

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        return receipt(request, "unknown")


def sink(make: Callable[[], Any], broken: Callable[[], Any] = FailingSink) -> Sink:
    return Sink(make=make, delivered=lambda made: list(getattr(made, "ids", ())), make_broken=broken)


class PlainMethod(GoodSink):
    deliver: Any = property(lambda self: lambda request: GoodSink.deliver(self, request))


class OtherId(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        given = await super().deliver(request)
        return attrs.evolve(given, delivery_id="1") if len(request.delivery_id) == 1 else given


class Raises(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        if request.message.role == "system":
            raise ConnectionError("no system messages")
        return await super().deliver(request)


class MoreArtifacts(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        given = await super().deliver(request)
        more = Artifact(name="log", reference=Reference(uri="x:log"))
        return attrs.evolve(given, artifacts=(*(request.artifacts or ()), more))


class Twice(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        await super().deliver(request)
        return await super().deliver(request)


class RejectsWhatItTook(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        given = await super().deliver(request)
        return receipt(request, "rejected") if request.message.role == "tool" else given


class Changes(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        given = await super().deliver(request)
        if type(request.message.content) is dict:
            request.message.content["seen"] = True
        return given


class Shares(GoodSink):
    current: OutputRequest

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        self.current = request
        await asyncio.sleep(0)
        self.requests.append(self.current)
        return receipt(request)


class Cheerful:
    """Its receiving end is broken, and it does not notice."""

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        return receipt(request)


class Swallows(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            error = InteractionError(code="CANCELLED", message="It was cancelled")
            return OutputReceipt(delivery_id=request.delivery_id, status="unknown", error=error)
        return await super().deliver(request)


class LeavesATask(GoodSink):
    def __init__(self) -> None:
        super().__init__()
        self.tasks: list[Any] = []

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        self.tasks.append(asyncio.ensure_future(asyncio.Event().wait()))
        return await super().deliver(request)


BROKEN: dict[str, Callable[[], Sink]] = {
    "OS-001 a method that is not async": lambda: sink(PlainMethod),
    "OS-002 a receipt for another delivery": lambda: sink(OtherId),
    "OS-002 an exception": lambda: sink(Raises),
    "OS-003 artifacts of its own": lambda: sink(MoreArtifacts),
    "OS-004 delivers twice": lambda: sink(Twice),
    "OS-004 rejects what it took": lambda: sink(RejectsWhatItTook),
    "OS-005 changes the request": lambda: sink(Changes),
    "OS-006 mixes deliveries": lambda: sink(Shares),
    "OS-007 accepts what failed": lambda: sink(GoodSink, Cheerful),
    "OS-008 swallows a cancellation": lambda: sink(Swallows),
    "OS-009 leaves a task": lambda: sink(LeavesATask),
}
