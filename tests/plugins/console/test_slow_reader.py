"""Readers that take their time: who waits, for how long, and what is true of the delivery afterwards."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Awaitable
from typing import Any

import pytest

from ditto_console import ConsoleSink, writer
from ditto_console.failures import BUSY, TIMEOUT
from ditto_core import Message, OutputReceipt, OutputRequest
from tests.support import run


class Gate(io.BytesIO):
    """A stream that takes nothing until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = threading.Event()
        self.opened = threading.Event()

    def write(self, data: Any) -> int:
        self.reached.set()
        assert self.opened.wait(30)
        return super().write(data)

    async def is_reached(self) -> None:
        assert await asyncio.to_thread(self.reached.wait, 10)

    def texts(self) -> list[str]:
        return self.getvalue().decode().splitlines()


def deliver(sink: ConsoleSink, text: str) -> Awaitable[OutputReceipt]:
    return sink.deliver(OutputRequest(delivery_id=text, message=Message(role="assistant", content=text)))


@pytest.mark.case("SINK-01", "SINK-07")
@pytest.mark.promise("D-OUT-05")
def test_a_reader_that_is_too_slow_is_unknown_and_may_still_get_everything_once() -> None:
    async def main() -> None:
        gate = Gate()
        sink = ConsoleSink(gate, "text", 0.05)
        first, second = await asyncio.gather(deliver(sink, "first"), deliver(sink, "second"))
        assert (first, second) == (TIMEOUT.receipt("first"), TIMEOUT.receipt("second"))
        gate.opened.set()
        assert (await deliver(ConsoleSink(gate, "text"), "third")).status == "accepted"
        assert gate.texts() == ["first", "second", "third"]

    run(main())


def test_the_loop_goes_on_while_a_reader_is_slow() -> None:
    async def main() -> None:
        gate = Gate()
        delivery = asyncio.ensure_future(deliver(ConsoleSink(gate, "text"), "slow"))
        await gate.is_reached()
        assert (await deliver(ConsoleSink(io.BytesIO(), "text"), "quick")).status == "accepted"
        assert not delivery.done()
        gate.opened.set()
        assert (await delivery).status == "accepted"

    run(main())


@pytest.mark.case("SINK-07")
def test_a_cancelled_delivery_is_withdrawn_unless_it_has_begun() -> None:
    async def main() -> None:
        gate = Gate()
        sink = ConsoleSink(gate, "text")
        begun = asyncio.ensure_future(deliver(sink, "begun"))
        await gate.is_reached()
        waiting = asyncio.ensure_future(deliver(sink, "waiting"))
        await asyncio.sleep(0)
        for delivery in (begun, waiting):
            delivery.cancel()
            with pytest.raises(asyncio.CancelledError):
                await delivery
        gate.opened.set()
        assert (await deliver(sink, "next")).status == "accepted"
        assert gate.texts() == ["begun", "next"]

    run(main())


def test_a_timeout_of_the_caller_is_a_cancellation() -> None:
    async def main() -> None:
        gate = Gate()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await deliver(ConsoleSink(gate, "text"), "slow")
        gate.opened.set()

    run(main())


def test_too_many_waiting_deliveries_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_WAITING", 2 * writer.OVERHEAD + 100)

    async def main() -> None:
        gate = Gate()
        sink = ConsoleSink(gate, "text")
        begun = asyncio.ensure_future(deliver(sink, "begun"))
        await gate.is_reached()
        waiting = [asyncio.ensure_future(deliver(sink, name)) for name in ("one", "two")]
        await asyncio.sleep(0)
        assert await deliver(sink, "three") == BUSY.receipt("three")
        gate.opened.set()
        assert {receipt.status for receipt in await asyncio.gather(begun, *waiting)} == {"accepted"}
        large = "x" * 10_000
        assert (await deliver(sink, large)).status == "accepted"  # alone, it may be larger than the limit
        assert gate.texts() == ["begun", "one", "two", large]

    run(main())


def test_a_loop_that_was_closed_meanwhile_disturbs_no_later_delivery() -> None:
    gate = Gate()

    async def leave() -> None:
        delivery = asyncio.ensure_future(deliver(ConsoleSink(gate, "text"), "left"))
        await gate.is_reached()
        delivery.cancel()

    run(leave())
    gate.opened.set()
    assert run(deliver_to(gate)).status == "accepted"
    assert gate.texts() == ["left", "next"]


async def deliver_to(gate: Gate) -> OutputReceipt:
    return await deliver(ConsoleSink(gate, "text"), "next")
