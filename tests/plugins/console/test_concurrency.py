"""Many deliveries at once: none lost, none mixed, whoever makes them."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import pytest

from ditto_console import ConsoleSink
from ditto_core import Message, OutputReceipt, OutputRequest
from tests.support import run

NUMBER = 100
SIZE = 100_000


def request(number: int) -> OutputRequest:
    message = Message(role="assistant", content=chr(97 + number % 26) * SIZE)
    return OutputRequest(delivery_id=str(number), message=message)


@attrs.define
class Output:
    """A stream and, once it is closed, everything that was written to it."""

    stream: Any
    path: Path | None = None
    reader: threading.Thread | None = None
    read: bytes = b""

    def lines(self) -> list[str]:
        self.stream.close()
        if self.reader is not None:
            self.reader.join(30)
            assert not self.reader.is_alive()
        written = self.path.read_bytes() if self.path else self.read
        assert written.endswith(b"\n")
        return written.decode("ascii").split("\n")[:-1]


@pytest.fixture(params=["file", "pipe", "narrow pipe"])
def output(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Output]:
    if request.param == "file":
        path = tmp_path / "out"
        output = Output(path.open("w", encoding="utf-8"), path)
    else:
        reading, writing = os.pipe()
        buffering = -1 if request.param == "pipe" else 0
        output = Output(open(writing, "wb", buffering))  # noqa: PTH123, SIM115

        def read_all() -> None:
            with open(reading, "rb") as stream:  # noqa: PTH123
                output.read = stream.read()

        output.reader = threading.Thread(target=read_all, daemon=True)
        output.reader.start()
    yield output
    output.stream.close()


async def deliver_all(sinks: Sequence[ConsoleSink], numbers: range) -> list[OutputReceipt]:
    return await asyncio.gather(*(sinks[number % len(sinks)].deliver(request(number)) for number in numbers))


def check(output: Output, receipts: list[OutputReceipt]) -> None:
    assert Counter(receipt.status for receipt in receipts) == {"accepted": NUMBER}
    read = [json.loads(line) for line in output.lines()]
    assert Counter(line["id"] for line in read) == Counter(map(str, range(NUMBER)))
    assert all(line["message"]["content"] == request(int(line["id"])).message.content for line in read)


@pytest.mark.case("SINK-03")
@pytest.mark.promise("D-OUT-03")
def test_deliveries_of_many_tasks_do_not_mix(output: Output) -> None:
    check(output, run(deliver_all([ConsoleSink(output.stream, timeout=60)], range(NUMBER)), timeout=60))


@pytest.mark.case("SINK-03")
@pytest.mark.promise("D-OUT-03")
def test_deliveries_of_two_sinks_on_one_stream_do_not_mix(output: Output) -> None:
    below = getattr(output.stream, "buffer", output.stream)
    sinks = [ConsoleSink(output.stream, timeout=60), ConsoleSink(below, timeout=60)]
    check(output, run(deliver_all(sinks, range(NUMBER)), timeout=60))


@pytest.mark.case("SINK-03")
@pytest.mark.promise("D-OUT-03")
def test_deliveries_of_many_threads_and_loops_do_not_mix(output: Output) -> None:
    sink = ConsoleSink(output.stream, timeout=60)

    def deliver_some(first: int) -> list[OutputReceipt]:
        return run(deliver_all([sink], range(first, NUMBER, 10)), timeout=60)

    with ThreadPoolExecutor(10) as threads:
        receipts = [receipt for some in threads.map(deliver_some, range(10)) for receipt in some]
    check(output, receipts)


def test_deliveries_of_one_loop_keep_their_order(output: Output) -> None:
    run(deliver_all([ConsoleSink(output.stream, timeout=60)], range(NUMBER)), timeout=60)
    assert [json.loads(line)["id"] for line in output.lines()] == [str(number) for number in range(NUMBER)]
