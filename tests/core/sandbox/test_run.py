"""Running commands: through the application's executor, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ditto_core import (
    Command,
    CommandExecutor,
    CommandResult,
    CommandTimeout,
    FileMissing,
    FileRefused,
    InvalidResult,
    InvalidValue,
    PermissionDenied,
    Sandbox,
)
from tests.support import run

DONE = CommandResult(
    stdout="ok", stderr="", exit_code=0, stdout_bytes=2, stderr_bytes=0, truncated=False, stopped=False
)


class Fake:
    """An application's own executor: answers from memory."""

    def __init__(self, answer: object = DONE, *, local: bool = True) -> None:
        self.local = local
        self.answer = answer
        self.calls: list[tuple[Command, Path]] = []

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        self.calls.append((command, workspace))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@pytest.mark.promise("SBX-03")
def test_without_an_executor_no_command_runs(place: Path) -> None:
    with pytest.raises(PermissionDenied, match=r"the sandbox has no executor\. Give it one: Sandbox\(executor=…\)\.$"):
        run(Sandbox(place, execute=True).run(Command("ls")))


@pytest.mark.promise("SBX-01", "SBX-03")
def test_without_the_permission_the_executor_is_not_called(place: Path) -> None:
    executor = Fake()
    sandbox = Sandbox(place, read=True, write=True, tools=["*"], executor=executor)
    with pytest.raises(PermissionDenied, match=r"^Running commands: "):
        run(sandbox.run(Command("ls")))
    with pytest.raises(PermissionDenied):
        run(Sandbox(place, execute=True, executor=executor).narrow(execute=False).run(Command("ls")))
    assert executor.calls == []


@pytest.mark.promise("SBX-04")
def test_any_executor_with_the_port_serves(place: Path) -> None:
    executor = Fake()
    port: CommandExecutor = executor
    command = Command("ls", ("-l",), max_lines=3)
    assert run(Sandbox(place, execute=True, executor=port).run(command)) is DONE
    assert executor.calls == [(command, place.resolve())]
    assert executor.calls[0][0] is command


@pytest.mark.promise("SBX-04")
def test_a_command_runs_once_and_what_the_executor_raises_comes_through(place: Path) -> None:
    for error in (CommandTimeout("too slow", stdout="step1"), PermissionDenied("not offered"), OSError("broken")):
        executor = Fake(error)
        with pytest.raises(type(error)) as caught:
            run(Sandbox(place, execute=True, executor=executor).run(Command("ls")))
        assert caught.value is error
        assert len(executor.calls) == 1


@pytest.mark.parametrize("command", [None, "ls", ("ls",), {"program": "ls"}], ids=repr)
def test_only_a_command_is_run(place: Path, command: Any) -> None:
    executor = Fake()
    with pytest.raises(InvalidValue, match=r"^command: must be a Command, not "):
        run(Sandbox(place, execute=True, executor=executor).run(command))
    assert executor.calls == []


@pytest.mark.parametrize("answer", [None, "ok", {"stdout": "ok"}, 0, ("ok", "", 0)], ids=repr)
@pytest.mark.promise("SBX-04")
def test_an_answer_of_another_shape_is_no_result(place: Path, answer: object) -> None:
    with pytest.raises(InvalidResult, match=r"^Executor of command 'ls': .*\. The command may have run\.$"):
        run(Sandbox(place, execute=True, executor=Fake(answer)).run(Command("ls")))


def test_an_executor_that_is_not_async_is_no_executor(place: Path) -> None:
    executor: Any = Fake()
    executor.run = lambda command, *, workspace: DONE
    with pytest.raises(InvalidValue, match=r"^Sandbox.executor: has a run\(\) that is not async: a Fake"):
        Sandbox(place, execute=True, executor=executor)


class NoLocal:
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        return DONE


def odd() -> Any:
    executor: Any = Fake()
    executor.local = 1
    return executor


@pytest.mark.parametrize(
    "make",
    [object, lambda: Fake, NoLocal, odd, lambda: "ls"],
    ids=["object", "class", "not local or remote", "1 for True", "text"],
)
def test_what_is_no_executor_is_refused_when_the_sandbox_is_made(make: Callable[[], Any]) -> None:
    with pytest.raises(InvalidValue, match=r"^Sandbox\.executor: "):
        Sandbox(executor=make())


def test_a_workspace_that_is_gone_or_has_become_a_link_is_not_run_in(place: Path) -> None:
    executor = Fake()
    sandbox = Sandbox(place, execute=True, executor=executor)
    place.rmdir()
    with pytest.raises(FileMissing):
        run(sandbox.run(Command("ls")))
    place.touch()
    with pytest.raises(FileRefused) as caught:
        run(sandbox.run(Command("ls")))
    assert caught.value.reason == "not_a_folder"
    place.unlink()
    place.symlink_to("outside")
    with pytest.raises(PermissionDenied):
        run(sandbox.run(Command("ls")))
    assert executor.calls == []


def test_the_workspace_of_a_remote_executor_is_not_looked_at(place: Path) -> None:
    executor = Fake(local=False)
    sandbox = Sandbox(place / "elsewhere", execute=True, executor=executor)
    assert run(sandbox.run(Command("ls"))) is DONE
    assert executor.calls[0][1] == place.resolve() / "elsewhere"


class Slow(Fake):
    """Never answers; keeps the task that it was cancelled in."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.cancelled: object = None

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        self.begun.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            self.cancelled = asyncio.current_task()
            raise
        return DONE


@pytest.mark.promise("SBX-05")
def test_the_sandbox_puts_no_deadline_on_a_command_and_cancellation_reaches_the_executor(place: Path) -> None:
    async def main() -> None:
        executor = Slow()
        loop: Any = asyncio.get_running_loop()
        timers = list(loop._scheduled)
        task = asyncio.create_task(Sandbox(place, execute=True, executor=executor).run(Command("ls")))
        await executor.begun.wait()
        assert list(loop._scheduled) == timers
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert executor.cancelled is task

    run(main())
