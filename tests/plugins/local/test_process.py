"""The steps of a process's end, one by one, with pipes that the test holds itself."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import io
import os
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from ditto_local.output import BoundedOutput
from ditto_local.process import CommandProcess
from tests.support import run


@attrs.define
class Pipe:
    """What the event loop has for the reading end of a pipe."""

    file: io.FileIO
    paused: bool = False

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self.paused = True

    def get_extra_info(self, name: str) -> Any:
        return {"pipe": self.file}[name]


@attrs.define
class Ended:
    """What the event loop has for a process that is no more."""

    pipe: Pipe
    closed: bool = False

    def get_pid(self) -> None:
        return None

    def get_returncode(self) -> int:
        return 0

    def get_pipe_transport(self, fd: int) -> Pipe | None:
        return self.pipe if fd == 1 else None

    def close(self) -> None:
        self.closed = True


@contextlib.contextmanager
def _pipe(data: bytes) -> Iterator[Pipe]:
    """A pipe that nobody has closed for writing, with that in it."""
    reading, writing = os.pipe()
    with io.FileIO(reading) as file, io.FileIO(writing, "w") as other:
        os.set_blocking(reading, False)
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 1_048_576)
        other.write(data)
        yield Pipe(file)


def test_what_is_left_in_the_pipe_comes_after_what_was_read_before() -> None:
    async def scenario() -> None:
        with _pipe(b"b" * 200_000) as pipe:
            stdout = BoundedOutput(300_000)
            process = CommandProcess(stdout, BoundedOutput(1))
            process.connection_made(Ended(pipe))  # type: ignore[arg-type]
            asyncio.get_running_loop().call_soon(process.pipe_data_received, 1, b"a")
            process.process_exited()
            assert pipe.paused  # or the loop would read on, and deliver too late what it reads
            await process.over
            assert stdout.text() == ("a" + "b" * 200_000, False)

    run(scenario())


def test_a_pipe_that_is_still_written_to_is_read_no_further_than_anybody_will_read() -> None:
    async def scenario() -> None:
        with _pipe(b"b" * 1_048_576) as pipe:
            stdout = BoundedOutput(10)
            process = CommandProcess(stdout, BoundedOutput(1))
            process.connection_made(Ended(pipe))  # type: ignore[arg-type]
            process.pipe_data_received(1, b"a" * 1_000_000)
            process.process_exited()
            await process.over
            assert stdout.exhausted
            assert stdout.seen < 1_048_576 + 2 * 65_536

    run(scenario())


def test_a_cancellation_during_the_end_waits_for_it_and_is_not_lost() -> None:
    async def scenario() -> None:
        with _pipe(b"a") as pipe:
            transport = Ended(pipe)
            process = CommandProcess(BoundedOutput(10), BoundedOutput(1))
            process.connection_made(transport)  # type: ignore[arg-type]
            ending = asyncio.create_task(process.end())
            for step in (lambda: None, process.process_exited):
                await asyncio.sleep(0)
                ending.cancel()
                await asyncio.sleep(0)
                assert not ending.done()
                step()
            await process.over
            process.connection_lost(None)
            with pytest.raises(asyncio.CancelledError):
                await ending
            assert transport.closed

    run(scenario())
