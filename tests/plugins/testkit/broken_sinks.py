"""For each check of output sinks a sink that breaks that rule and no other."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar

import attrs

from ditto_core import Artifact, InteractionError, OutputReceipt, OutputRequest, Reference
from ditto_testkit import Capabilities, Sink
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
    return Sink(
        make=make,
        delivered=lambda made: list(getattr(made, "ids", ())),
        make_broken=broken,
        capabilities=Capabilities(call_timeout=2.0),
    )


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


class Leaves(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        raise SystemExit(0)


class Stale(GoodSink):
    """Gives the receipt of the delivery before, from the third one on."""

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        await super().deliver(request)
        return receipt(self.requests[-2] if len(self.requests) > 2 else request)


class Retries(GoodSink):
    """Delivers once more when it does not know what became of a delivery."""

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        await super().deliver(request)
        if request.message.role == "tool":
            await super().deliver(request)
            return receipt(request, "unknown")
        return receipt(request)


class Adds(GoodSink):
    """Delivers something of its own."""

    @property
    def ids(self) -> list[str]:
        return ["hello", *super().ids] if self.requests else []


class Remembers(GoodSink):
    """Keeps what another sink was given."""

    all: ClassVar[list[OutputRequest]] = []

    def __init__(self) -> None:
        super().__init__()
        self.requests = self.all


class ChangesDeepInside(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        content: Any = request.message.content
        if type(content) is list and type(content[-1]) is dict and "a" in content[-1]:
            content[-1]["a"].append(2)
        return await super().deliver(request)


class TwiceBesideOthers(GoodSink):
    """Takes a delivery for lost while another one is on its way."""

    busy = 0

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        self.busy += 1
        try:
            await asyncio.sleep(0)
            if self.busy > 1:
                await super().deliver(request)
            return await super().deliver(request)
        finally:
            self.busy -= 1


class RaisesBesideOthers(GoodSink):
    busy = False

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        if self.busy:
            raise RuntimeError("busy")
        self.busy = True
        try:
            await asyncio.sleep(0)
            return await super().deliver(request)
        finally:
            self.busy = False


class Interleaves(GoodSink):
    """Writes a delivery in two pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    @property
    def ids(self) -> list[str]:
        if self.written[::2] != self.written[1::2]:
            raise ValueError("no line of JSON")
        return self.written[::2]

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        self.written.append(request.delivery_id)
        await asyncio.sleep(0)
        self.written.append(request.delivery_id)
        return receipt(request)


class LocksAllUp(GoodSink):
    """Waits for a lock of threads, which the task that has it can never give back then."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        with self.lock:
            await asyncio.sleep(0)
            return await super().deliver(request)


class RaisesWhenCancelled(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            raise ConnectionError("interrupted") from None
        return await super().deliver(request)


class NeverRecovers(GoodSink):
    """Is of no use once a delivery was cancelled."""

    broken = False

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        if self.broken:
            raise ConnectionError("closed")
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.broken = True
            raise
        return await super().deliver(request)


class GoesOnWhenCancelled(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        return await asyncio.shield(self._slowly(request))

    async def _slowly(self, request: OutputRequest) -> OutputReceipt:
        for _ in range(20):
            await asyncio.sleep(0)
        return await super().deliver(request)


class Sleeps(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        time.sleep(1e-9)
        return await super().deliver(request)


class LooksUp(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        socket.getaddrinfo("127.0.0.1", 9)
        return await super().deliver(request)


class Connects(GoodSink):
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        with socket.socket() as made, contextlib.suppress(OSError):
            made.connect(("127.0.0.1", 1))
        return await super().deliver(request)


BROKEN: dict[str, Callable[[], Sink]] = {
    "OS-001 a method that is not async": lambda: sink(PlainMethod),
    "OS-002 a receipt for another delivery": lambda: sink(OtherId),
    "OS-002 an exception": lambda: sink(Raises),
    "OS-002 the end of the program": lambda: sink(Leaves),
    "OS-002 the receipt of the one before": lambda: sink(Stale),
    "OS-003 artifacts of its own": lambda: sink(MoreArtifacts),
    "OS-004 delivers twice": lambda: sink(Twice),
    "OS-004 rejects what it took": lambda: sink(RejectsWhatItTook),
    "OS-004 delivers again what it does not know of": lambda: sink(Retries),
    "OS-004 delivers something of its own": lambda: sink(Adds),
    "OS-004 is not empty": lambda: sink(Remembers),
    "OS-005 changes the request": lambda: sink(Changes),
    "OS-005 changes it deep inside": lambda: sink(ChangesDeepInside),
    "OS-006 mixes deliveries": lambda: sink(Shares),
    "OS-006 delivers twice beside others": lambda: sink(TwiceBesideOthers),
    "OS-006 raises beside others": lambda: sink(RaisesBesideOthers),
    "OS-006 writes in pieces": lambda: sink(Interleaves),
    "OS-006 waits for itself": lambda: sink(LocksAllUp),
    "OS-007 accepts what failed": lambda: sink(GoodSink, Cheerful),
    "OS-008 swallows a cancellation": lambda: sink(Swallows),
    "OS-008 raises when cancelled": lambda: sink(RaisesWhenCancelled),
    "OS-008 never recovers": lambda: sink(NeverRecovers),
    "OS-009 leaves a task": lambda: sink(LeavesATask),
    "OS-009 goes on when cancelled": lambda: sink(GoesOnWhenCancelled),
    "OS-010 sleeps": lambda: sink(Sleeps),
    "OS-010 looks a name up": lambda: sink(LooksUp),
    "OS-010 connects": lambda: sink(Connects),
}
