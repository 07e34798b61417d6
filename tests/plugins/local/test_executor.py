"""Commands as processes: limits, deadlines, cancellation, environment."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ditto_core import (
    Command,
    CommandResult,
    CommandTimeout,
    CommandUnavailable,
    DittoError,
    InvalidValue,
    PermissionDenied,
    Sandbox,
)
from ditto_local import LocalExecutor
from tests.support import run

PROGRAMS = ["sh", "cat", "yes", "env", "true", "missing-program"]


def _run(script: str, folder: Path, *, timeout: float = 10.0, env: Any = None, **limits: Any) -> CommandResult:
    executor = LocalExecutor(PROGRAMS, timeout=timeout, env=env)
    return run(executor.run(Command("sh", ("-c", script), **limits), workspace=folder), timeout=30)


def _lives(pid: int) -> bool:
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def _gone(*pids: int) -> None:
    """Wait until the processes have ended; a killed one needs a moment of the kernel's."""
    async with asyncio.timeout(10):
        while any(map(_lives, pids)):
            await asyncio.sleep(0)


@pytest.mark.promise("SBX-04")
def test_output_and_exit_status_come_back(tmp_path: Path) -> None:
    assert _run("printf out; printf error >&2; exit 3", tmp_path) == CommandResult(
        stdout="out",
        stderr="error",
        exit_code=3,
        stdout_bytes=3,
        stderr_bytes=5,
        truncated=False,
        stopped=False,
    )


def test_a_sandbox_runs_it_in_its_workspace(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path, execute=True, executor=LocalExecutor(["sh"]))
    assert run(sandbox.run(Command("sh", ("-c", "pwd")))).stdout == f"{tmp_path.resolve()}\n"


def test_arguments_are_passed_as_they_are(tmp_path: Path) -> None:
    words = ("a b", "*", "$HOME", "a;id", "", "\n", "é", "--", "-x")
    command = Command("sh", ("-c", 'for word; do printf "%s|" "$word"; done', "sh", *words))
    result = run(LocalExecutor(["sh"]).run(command, workspace=tmp_path))
    assert result.stdout == "".join(f"{word}|" for word in words)


@pytest.mark.case("RUN-01")
def test_a_grandchild_that_left_the_group_and_holds_the_pipe_holds_nothing_up(tmp_path: Path) -> None:
    begun = time.monotonic()
    result = _run("echo hi; setsid sleep 60 & echo $! >pid; exit 0", tmp_path, timeout=20)
    assert (result.stdout, result.exit_code) == ("hi\n", 0)
    assert time.monotonic() - begun < 20
    os.kill(int((tmp_path / "pid").read_text()), 9)


def test_a_grandchild_in_the_group_ends_with_the_command(tmp_path: Path) -> None:
    async def scenario() -> None:
        executor = LocalExecutor(["sh"])
        command = Command("sh", ("-c", "sleep 60 & echo $!"))
        result = await executor.run(command, workspace=tmp_path)
        await _gone(int(result.stdout))

    run(scenario(), timeout=30)


@pytest.mark.parametrize("ending", ["deadline", "cancel"])
@pytest.mark.promise("RUN-03", "D-CMD-09")
@pytest.mark.case("RUN-02", "RUN-03", "RUN-08")
def test_a_deadline_or_a_cancellation_ends_the_whole_group(ending: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        executor = LocalExecutor(["sh"], timeout=0.3 if ending == "deadline" else 30)
        script = "echo $$ >pids; sleep 60 & echo $! >>pids; sleep 60 & echo $! >>pids; printf step1; touch ready; wait"
        call = asyncio.create_task(executor.run(Command("sh", ("-c", script)), workspace=tmp_path))
        while not (tmp_path / "ready").exists() and not call.done():
            await asyncio.sleep(0)
        if ending == "cancel":
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        else:
            with pytest.raises(CommandTimeout, match="was killed") as caught:
                await call
            assert caught.value.stdout == "step1"
        await _gone(*map(int, (tmp_path / "pids").read_text().split()))

    run(scenario(), timeout=30)


@pytest.mark.parametrize(("full", "other"), [("2", "1"), ("1", "2")])
@pytest.mark.case("RUN-05")
def test_a_flood_on_one_output_does_not_block_the_other(full: str, other: str, tmp_path: Path) -> None:
    result = _run(f"head -c 1048576 /dev/zero >&{full}; echo ok >&{other}", tmp_path)
    assert result.exit_code == 0
    assert result.truncated
    assert (result.stdout if other == "1" else result.stderr) == "ok\n"
    assert len(result.stderr if full == "2" else result.stdout) == (8_192 if full == "2" else 65_536)
    assert (result.stderr_bytes if full == "2" else result.stdout_bytes) == 1_048_576


@pytest.mark.promise("D-CMD-08")
@pytest.mark.case("RUN-06")
def test_endless_output_is_bounded_and_stopped(tmp_path: Path) -> None:
    result = run(LocalExecutor(["yes"], timeout=30).run(Command("yes"), workspace=tmp_path), timeout=60)
    assert (result.exit_code, result.stopped, result.truncated) == (None, True, True)
    assert result.stdout == "y\n" * 32_768
    assert 1_048_576 + 65_536 < result.stdout_bytes < 1_048_576 + 65_536 + 1_048_576


@pytest.mark.parametrize("extra", [0, 1])
def test_the_status_depends_on_what_the_command_did_alone(extra: int, tmp_path: Path) -> None:
    script = f"head -c {65_536 + 1_048_576 + extra} /dev/zero; exit 7"
    for _ in range(20):
        result = _run(script, tmp_path)
        assert (result.exit_code, result.stopped) == ((7, False) if not extra else (None, True))


@pytest.mark.case("RUN-10")
def test_standard_input_is_empty_and_the_hosts_is_not_touched(tmp_path: Path) -> None:
    program = f"""
import asyncio, sys
from pathlib import Path
from ditto_core import Command
from ditto_local import LocalExecutor
result = asyncio.run(LocalExecutor(["cat"], timeout=10).run(Command("cat"), workspace=Path({str(tmp_path)!r})))
print(repr(result.stdout), repr(sys.stdin.read()))
"""
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", program], input="the host's", capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout == "'' \"the host's\"\n"


@pytest.mark.promise("SBX-04")
@pytest.mark.case("RUN-11")
def test_nothing_of_the_applications_environment_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    result = run(LocalExecutor(["env"], env={"EXTRA": "1"}).run(Command("env"), workspace=tmp_path))
    assert sorted(result.stdout.split()) == ["EXTRA=1", "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "TZ=UTC"]


@pytest.mark.case("RUN-14")
def test_a_missing_program_is_raised_and_names_no_path(tmp_path: Path) -> None:
    executor = LocalExecutor(PROGRAMS)
    with pytest.raises(CommandUnavailable, match="could not be started: No such file") as caught:
        run(executor.run(Command("missing-program"), workspace=tmp_path))
    assert str(tmp_path) not in str(caught.value)
    assert run(executor.run(Command("true"), workspace=tmp_path)).exit_code == 0


@pytest.mark.parametrize("program", ["ls", "/bin/cat", "./cat", "CAT"])
def test_only_listed_programs_run(program: str, tmp_path: Path) -> None:
    with pytest.raises(PermissionDenied, match="not one that the executor may run"):
        run(LocalExecutor(["cat"]).run(Command(program), workspace=tmp_path))


def test_an_absolute_path_may_be_listed(tmp_path: Path) -> None:
    assert run(LocalExecutor(["/bin/true"]).run(Command("/bin/true"), workspace=tmp_path)).exit_code == 0


@pytest.mark.parametrize(
    "options",
    [
        {"commands": "cat"},
        {"commands": [""]},
        {"commands": ["./cat"]},
        {"commands": ["a\0"]},
        {"commands": [5]},
        {"timeout": 0},
        {"timeout": -1},
        {"timeout": True},
        {"timeout": "5"},
        {"timeout": float("nan")},
        {"timeout": 2**31},
        {"env": {"": "a"}},
        {"env": {"A=B": "a"}},
        {"env": {"A": 1}},
        {"env": {"A": "\0"}},
        {"env": {"PATH": "bin:/bin"}},
        {"env": {"PATH": ""}},
    ],
    ids=repr,
)
def test_options_that_could_not_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        LocalExecutor(**{"commands": ["cat"], **options})


def test_its_options_are_its_own() -> None:
    commands, env = ["cat"], {"A": "1"}
    executor = LocalExecutor(commands, env=env)
    commands.append("sh")
    assert executor.commands == {"cat"}
    assert repr(executor) == "LocalExecutor(['cat'], timeout=5)"


@pytest.mark.case("OUTP-05")
def test_a_line_of_any_length_is_read(tmp_path: Path) -> None:
    result = _run("head -c 200000 /dev/zero | tr '\\0' a; head -c 200000 /dev/zero | tr '\\0' b >&2", tmp_path)
    assert (len(result.stdout), len(result.stderr)) == (65_536, 8_192)
    assert (result.stdout_bytes, result.stderr_bytes, result.exit_code) == (200_000, 200_000, 0)


def test_a_foreign_signal_is_an_exit_status(tmp_path: Path) -> None:
    assert _run("kill -9 $$", tmp_path).exit_code == -9


def test_errors_are_ditto_errors() -> None:
    assert issubclass(CommandUnavailable, DittoError)
