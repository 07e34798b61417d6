"""The console sink keeps the contract of an output sink, in both of its formats."""

from __future__ import annotations

import errno
import io
import json

from ditto_console import ConsoleSink
from ditto_testkit import Capabilities, OutputSinkContract


class FullDisk(io.RawIOBase):
    """A stream on a disk without room."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


class TestJsonLines(OutputSinkContract):
    contract = 1

    def sink(self) -> ConsoleSink:
        return ConsoleSink(stream=io.BytesIO())

    def delivered(self, sink: ConsoleSink) -> list[str]:
        return [json.loads(line)["id"] for line in sink.stream.getvalue().splitlines()]

    def broken_sink(self) -> ConsoleSink:
        return ConsoleSink(stream=FullDisk())


class TestText(OutputSinkContract):
    contract = 1
    capabilities = Capabilities(unobservable="text for people does not show the delivery's id")

    def sink(self) -> ConsoleSink:
        return ConsoleSink(stream=io.BytesIO(), format="text")

    def broken_sink(self) -> ConsoleSink:
        return ConsoleSink(stream=FullDisk(), format="text")
