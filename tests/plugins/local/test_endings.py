"""How commands end: by themselves, at their deadline, cancelled; and what ends with them."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from ditto_core import Command, CommandResult, CommandTimeout
from ditto_local import LocalExecutor
from tests.support import run
from tests.support.processes import footprint, gone, until

LEFT_THE_GROUP = "setsid sh -c 'echo $$ >pid; exec sleep 60' & until [ -s pid ]; do :; done; echo hi"
"""Starts a grandchild that leaves the group and keeps the pipes."""


def _sh(script: str) -> Command:
    return Command("sh", ("-c", script))


@pytest.mark.promise("D-CMD-12")
@pytest.mark.case("RUN-01")
@pytest.mark.parametrize("ending", ["exit 0", "exec sleep 60"], ids=["by itself", "at the deadline"])
def test_a_grandchild_that_left_the_group_and_holds_the_pipe_holds_nothing_up(ending: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        by_itself = ending == "exit 0"
        call = LocalExecutor(["sh"], timeout=50 if by_itself else 2).run(
            _sh(f"{LEFT_THE_GROUP}; {ending}"), workspace=tmp_path
        )
        if by_itself:
            result = await call
            assert (result.stdout, result.exit_code) == ("hi\n", 0)
        else:
            with pytest.raises(CommandTimeout):
                await call
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)

    run(scenario(), timeout=40)  # less than the grandchild's own minute


def test_a_grandchild_in_the_group_ends_with_the_command(tmp_path: Path) -> None:
    async def scenario() -> None:
        result = await LocalExecutor(["sh"], timeout=50).run(_sh("sleep 60 & echo $!"), workspace=tmp_path)
        await gone(int(result.stdout))

    run(scenario(), timeout=40)


@pytest.mark.parametrize("ending", ["deadline", "cancel"])
@pytest.mark.promise("RUN-03", "D-CMD-09", "D-CMD-12")
@pytest.mark.case("RUN-02", "RUN-03", "RUN-08")
def test_a_deadline_or_a_cancellation_ends_the_whole_group(ending: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        executor = LocalExecutor(["sh"], timeout=2 if ending == "deadline" else 50)
        script = "printf step1; echo $$ >pids; sleep 60 & echo $! >>pids; sleep 60 & echo $! >>pids; touch ready; wait"
        call = asyncio.create_task(executor.run(_sh(script), workspace=tmp_path))
        await until(lambda: (tmp_path / "ready").exists() or call.done())
        if ending == "cancel":
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        else:
            with pytest.raises(CommandTimeout, match="did not end within 2 s and was killed") as caught:
                await call
            assert caught.value.stdout == "step1"
        await gone(*map(int, (tmp_path / "pids").read_text().split()))

    run(scenario(), timeout=40)


@pytest.mark.promise("D-CMD-09")
@pytest.mark.case("RUN-08")
def test_what_a_late_command_has_printed_is_bounded_too(tmp_path: Path) -> None:
    script = "head -c 100000 /dev/zero; head -c 100000 /dev/zero >&2; exec sleep 60"
    with pytest.raises(CommandTimeout) as caught:
        run(LocalExecutor(["sh"], timeout=2).run(_sh(script), workspace=tmp_path), timeout=40)
    assert (len(caught.value.stdout), len(caught.value.stderr)) == (65_536, 8_192)


@pytest.mark.promise("RUN-03")
@pytest.mark.case("RUN-03")
def test_a_call_cancelled_at_any_step_of_its_start_leaves_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        executor = LocalExecutor(["sh"], timeout=50)
        before = footprint()
        for steps in range(25):
            call = asyncio.create_task(executor.run(_sh("sleep 60 & sleep 60"), workspace=tmp_path))
            for _ in range(steps):
                await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        await until(lambda: footprint() == before)

    run(scenario(), timeout=40)


def test_a_second_cancellation_hurries_nothing_and_loses_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = footprint()
        call = asyncio.create_task(
            LocalExecutor(["sh"], timeout=50).run(_sh("echo $$ >pid; exec sleep 60"), workspace=tmp_path)
        )
        await until((tmp_path / "pid").exists)
        for _ in range(5):
            call.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: footprint() == before)

    run(scenario(), timeout=40)


def test_nothing_is_open_and_nobody_lives_when_a_call_returns(tmp_path: Path) -> None:
    async def scenario() -> None:
        executor = LocalExecutor(["sh"], timeout=50)
        await executor.run(_sh("true"), workspace=tmp_path)
        before = footprint()
        for script in ("printf a", "exit 3", "exec >&- 2>&-", "exec yes", "kill -9 $$", "yes & exit 0"):
            await executor.run(_sh(script), workspace=tmp_path)
            after = footprint()
            assert (after.descriptors, after.children) == (before.descriptors, before.children), script

    run(scenario(), timeout=40)


def test_a_hundred_commands_at_once_do_not_mix(tmp_path: Path) -> None:
    async def scenario() -> None:
        executor = LocalExecutor(["sh"], timeout=50)
        calls = [executor.run(_sh(f"printf {n}; printf {n} >&2; exit {n}"), workspace=tmp_path) for n in range(100)]
        results = await asyncio.gather(*calls)
        sizes = [len(str(n)) for n in range(100)]
        assert results == [
            CommandResult(
                stdout=str(n),
                stderr=str(n),
                exit_code=n,
                stdout_bytes=sizes[n],
                stderr_bytes=sizes[n],
                truncated=False,
                stopped=False,
            )
            for n in range(100)
        ]

    run(scenario(), timeout=60)
