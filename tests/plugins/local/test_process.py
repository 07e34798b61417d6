"""The steps of a process's end, one by one, with pipes that the test holds itself."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from ditto_local.output import MAX_DROPPED, BoundedOutput
from ditto_local.process import CommandProcess
from tests.support import run
from tests.support.processes import footprint


@attrs.define
class Ended:
    """What the event loop has for a process that is no more."""

    closed: bool = False

    def get_pid(self) -> None:
        return None

    def get_returncode(self) -> int:
        return 0

    def close(self) -> None:
        self.closed = True


@contextlib.contextmanager
def _pipe(data: bytes) -> Iterator[int]:
    """Give the reading end of a pipe with that in it; nobody closes the other end meanwhile."""
    reading, writing = os.pipe()
    try:
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 1_048_576)
        os.write(writing, data)
        yield reading
    finally:
        os.close(writing)


def test_all_that_is_left_in_a_pipe_is_taken_when_the_process_has_ended() -> None:
    async def scenario() -> None:
        with _pipe(b"b" * 200_000) as pipe:
            output = BoundedOutput(300_000)
            process = CommandProcess({pipe: output})
            process.connection_made(Ended())  # type: ignore[arg-type]
            process.process_exited()
            assert process.over.is_set()
            assert output.text() == ("b" * 200_000, False)
            await process.end()

    run(scenario())


def test_no_more_is_taken_than_anybody_will_read() -> None:
    async def scenario() -> None:
        with _pipe(b"b" * 1_048_576) as pipe:
            output = BoundedOutput(10)
            output.feed(b"a" * 1_000_000)
            process = CommandProcess({pipe: output})
            process.connection_made(Ended())  # type: ignore[arg-type]
            process.process_exited()
            assert output.exhausted
            assert output.seen <= 10 + MAX_DROPPED + 262_144
            await process.end()

    run(scenario())


def test_a_pipe_that_cannot_hold_more_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        with _pipe(b"b" * 100_000) as pipe:
            monkeypatch.setattr(fcntl, "fcntl", _no_more_pipes)
            output = BoundedOutput(10)
            process = CommandProcess({pipe: output})
            process.connection_made(Ended())  # type: ignore[arg-type]
            process.process_exited()
            assert (output.text(), output.seen) == (("b" * 10, True), 100_000)
            await process.end()

    run(scenario())


def _no_more_pipes(*arguments: object) -> int:
    raise PermissionError(1, "Operation not permitted")


def test_a_cancellation_during_the_end_waits_for_it_and_is_not_lost() -> None:
    async def scenario() -> None:
        with _pipe(b"a") as pipe:
            transport = Ended()
            process = CommandProcess({pipe: BoundedOutput(10)})
            process.connection_made(transport)  # type: ignore[arg-type]
            ending = asyncio.create_task(process.end())
            for _ in range(3):
                await asyncio.sleep(0)
                ending.cancel()
                await asyncio.sleep(0)
                assert not ending.done()
            process.process_exited()
            with pytest.raises(asyncio.CancelledError):
                await ending
            assert transport.closed

    run(scenario())


def test_a_process_that_the_kernel_does_not_let_go_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ditto_local.process.REAP_SECONDS", 0.01)

    async def scenario() -> None:
        before = footprint()
        with _pipe(b"a") as pipe:
            process = CommandProcess({pipe: BoundedOutput(10)})
            await process.end()
            assert not process.over.is_set()
        assert footprint() == before

    run(scenario())


@pytest.mark.parametrize("pipes", [0, 1])
def test_where_there_are_no_descriptors_left_nothing_is_left_open(
    pipes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = os.pipe
    calls = iter([made] * pipes)

    def pipe() -> tuple[int, int]:
        try:
            return next(calls)()
        except StopIteration:
            raise OSError(24, "Too many open files") from None

    async def scenario() -> None:
        before = footprint()
        monkeypatch.setattr(os, "pipe", pipe)
        with pytest.raises(OSError, match="Too many open files"):
            await CommandProcess.start(
                ["true"], stdout=BoundedOutput(1), stderr=BoundedOutput(1), folder=str(tmp_path), env={}
            )
        monkeypatch.setattr(os, "pipe", made)
        assert footprint() == before

    run(scenario())


def test_what_cannot_be_started_leaves_nothing_open(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = footprint()
        with pytest.raises(FileNotFoundError):
            await CommandProcess.start(
                ["no-such-program"], stdout=BoundedOutput(1), stderr=BoundedOutput(1), folder=str(tmp_path), env={}
            )
        assert footprint() == before

    run(scenario())
