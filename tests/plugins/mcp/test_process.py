"""What a process and this one have not taken yet stays bounded, in both directions."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from ditto_mcp.routes.process import MAX_WAITING, ServerProcess
from tests.support.mcp_peers import run_alone
from tests.support.processes import until

FLOOD = "import sys; [sys.stdout.write('x' * 99_999 + '\\n') for _ in range(200)]"
CLOSE_INPUT = "import os, signal, sys; os.close(0); print('closed', flush=True); signal.pause()"
CLOSE_OUTPUT = "import os, sys; os.close(1); os.close(0) if 0 else sys.stdin.read()"
ORPHAN = "import os, signal; print('first', flush=True); os.fork() or (os.setsid(), signal.alarm(1), signal.pause())"


async def started(script: str, hang_up: asyncio.Event | None = None) -> ServerProcess:
    return await ServerProcess.start(
        (sys.executable, "-I", "-S", "-c", script),
        env={},
        folder=None,
        stderr=asyncio.subprocess.DEVNULL,
        max_line_bytes=1_000_000,
        hang_up=hang_up or asyncio.Event(),
    )


def test_no_more_is_read_while_a_megabyte_of_lines_waits() -> None:
    async def scenario() -> None:
        process = await started(FLOOD)
        try:
            await until(lambda: process._waiting > MAX_WAITING)
            for _ in range(1_000):
                await asyncio.sleep(0)
            assert process._waiting < MAX_WAITING + 300_000
            for _ in range(200):
                line = await process.line()
                assert line is not None
                assert len(line.data) == 99_999
            assert await process.line() is None
        finally:
            await process.end()

    run_alone(scenario())


def test_a_process_that_does_not_read_holds_its_writer_up_and_no_one_who_ends_it() -> None:
    async def scenario() -> None:
        process = await started("import signal; signal.pause()")

        writing = asyncio.create_task(process.write(b"x" * 10_000_000))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await asyncio.shield(writing)
        await process.end()
        await writing
        await process.write(b"dropped")

    run_alone(scenario())


def test_a_process_that_closes_either_pipe_has_ended_the_conversation() -> None:
    async def scenario(script: str) -> None:
        hang_up = asyncio.Event()
        process = await started(script, hang_up)
        try:
            while await process.line():
                if script == CLOSE_INPUT:
                    await process.write(b"x\n" * 10)
            assert process.is_lost
            assert hang_up.is_set()
        finally:
            await process.end()

    run_alone(scenario(CLOSE_INPUT))
    run_alone(scenario(CLOSE_OUTPUT))


def test_output_that_another_session_holds_open_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ditto_mcp.routes.process.LINGER_SECONDS", 0.05)

    async def scenario() -> None:
        process = await started(ORPHAN)
        assert (await process.line()).data == b"first"  # type: ignore[union-attr]
        assert await process.line() is None
        await process.end()

    run_alone(scenario())


def test_a_process_that_cannot_be_started_leaves_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        for words in (("/nonexistent",), (str(tmp_path),)):
            with pytest.raises(OSError, match=r"nonexistent|Permission denied"):
                await ServerProcess.start(
                    words, env={}, folder=None, stderr=None, max_line_bytes=9, hang_up=asyncio.Event()
                )

    run_alone(scenario())
