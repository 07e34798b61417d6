"""The fakes do what their scripts say."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ditto_core import Command, CommandUnavailable, Message, OutputRequest, Sandbox
from ditto_local import LocalExecutor
from ditto_testkit.audit import recording
from ditto_testkit.fakes import (
    SECRET,
    FakeClock,
    RecordingExecutor,
    RecordingSink,
    ScriptedExecutor,
    ScriptedSink,
    awkward_workspace,
    differences,
    printed,
    snapshot,
)
from tests.support import run

HERE = Path()
REQUEST = OutputRequest(delivery_id="d1", message=Message(role="assistant", content="hi"))


@pytest.mark.promise("D-KIT-11")
def test_a_scripted_executor_answers_in_order_and_remembers() -> None:
    async def main() -> None:
        executor = ScriptedExecutor([printed("a"), CommandUnavailable("no such program"), printed("b")])
        assert (await executor.run(Command("x"), workspace=HERE)).stdout == "a"
        with pytest.raises(CommandUnavailable):
            await executor.run(Command("y"), workspace=HERE)
        assert [(await executor.run(Command("z"), workspace=HERE)).stdout for _ in range(2)] == ["b", "b"]
        assert [command.program for command in executor.commands] == ["x", "y", "z", "z"]
        echo = ScriptedExecutor(lambda command: printed(command.program))
        assert (await echo.run(Command("x"), workspace=HERE)).stdout == "x"

    run(main())
    with pytest.raises(ValueError, match="give at least one"):
        ScriptedExecutor([])


def test_a_failure_that_is_raised_again_keeps_nothing_of_the_calls_before() -> None:
    async def depth() -> int:
        tracebacks = []
        for call in (executor.run(Command("x"), workspace=HERE), sink.deliver(REQUEST)):
            with pytest.raises(OSError, match="full") as raised:
                await call
            tracebacks.append(raised.traceback)
        return sum(map(len, tracebacks))

    full = OSError("the disk is full")
    executor, sink = ScriptedExecutor(full), ScriptedSink([full])
    assert run(depth()) == run(depth())


@pytest.mark.promise("D-KIT-11")
def test_an_executor_that_holds_can_only_be_cancelled() -> None:
    async def main() -> None:
        executor = ScriptedExecutor(hold=True)
        task = asyncio.ensure_future(executor.run(Command("x"), workspace=HERE))
        await executor.entered.wait()
        assert executor.running == 1
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert (executor.running, executor.cancelled, task.cancelled()) == (0, 1, True)

    run(main())


def test_a_recording_executor_runs_and_remembers(tmp_path: Path) -> None:
    executor = RecordingExecutor(LocalExecutor([sys.executable]))
    sandbox = Sandbox(tmp_path, execute=True, executor=executor)
    command = Command(sys.executable, ("-c", "print('a')"))
    assert run(sandbox.run(command)).stdout == "a\n"
    assert executor.commands == [command]


@pytest.mark.promise("D-KIT-11")
def test_sinks_keep_requests_and_follow_their_script() -> None:
    kept = RecordingSink()
    assert run(kept.deliver(REQUEST)).status == "accepted"
    assert kept.requests == [REQUEST]
    scripted = ScriptedSink(["rejected", ConnectionError("gone"), "accepted"])
    assert run(scripted.deliver(REQUEST)).status == "rejected"
    with pytest.raises(ConnectionError):
        run(scripted.deliver(REQUEST))
    assert run(scripted.deliver(REQUEST)).status == "accepted"
    assert len(scripted.requests) == 3
    assert run(ScriptedSink(lambda request: "unknown").deliver(REQUEST)).status == "unknown"
    with pytest.raises(ValueError, match="give at least one"):
        ScriptedSink([])


@pytest.mark.promise("D-KIT-11")
def test_a_clock_wakes_its_sleepers_in_order() -> None:
    async def main() -> list[str]:
        clock, woken = FakeClock(10.0), list[str]()

        async def sleeper(name: str, seconds: float) -> None:
            await clock.sleep(seconds)
            woken.append(f"{name} at {clock.time():g}")

        tasks = [asyncio.ensure_future(sleeper("b", 2)), asyncio.ensure_future(sleeper("a", 1))]
        await asyncio.sleep(0)
        await clock.advance(1.5)
        assert woken == ["a at 11"]
        await clock.advance(10)
        await asyncio.gather(*tasks)
        assert clock.time() == 21.5
        return woken

    assert run(main()) == ["a at 11", "b at 12"]


@pytest.mark.promise("D-KIT-11")
def test_a_workspace_has_traps_and_changes_are_seen(tmp_path: Path) -> None:
    workspace = awkward_workspace(tmp_path, {"mine.txt": "x"}, large=100)
    assert (workspace / "out").read_text(encoding="utf-8") == f"{SECRET}\n"
    assert (workspace / "mine.txt").exists()
    before = snapshot(workspace)
    (workspace / "mine.txt").write_text("y", encoding="utf-8")
    (workspace / "new").mkdir()
    (workspace / "link").unlink()
    assert differences(before, snapshot(workspace)) == ["changed 'mine.txt'", "made 'new'", "removed 'link'"]


@pytest.mark.promise("D-KIT-04")
def test_the_audit_records_only_while_it_is_asked_and_in_all_threads(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before", encoding="utf-8")
    with recording() as seen:
        thread = threading.Thread(target=path.write_text, args=("inside",))
        thread.start()
        thread.join()
        subprocess.run([sys.executable, "-c", ""], check=True)
    path.read_text(encoding="utf-8")
    assert seen.changed == [str(path)]
    assert len(seen.processes) >= 1
    assert str(path) in seen.opened
    assert seen.opened.count(str(path)) == 1
