"""Commands as processes: what comes back, what they find, what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ditto_core import Command, CommandResult, CommandUnavailable, PermissionDenied, RefusedCall, Sandbox
from ditto_local import LocalExecutor
from tests.support import run

PROGRAMS = ["sh", "cat", "yes", "env", "true", "missing-program"]


def _run(script: str, folder: Path, *, timeout: float = 10.0, env: Any = None, **limits: Any) -> CommandResult:
    executor = LocalExecutor(PROGRAMS, timeout=timeout, env=env)
    return run(executor.run(Command("sh", ("-c", script), **limits), workspace=folder), timeout=30)


@pytest.mark.promise("SBX-04b")
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


@pytest.mark.promise("D-CMD-11")
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
    done = subprocess.run(
        [sys.executable, "-c", program], input="the host's", capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout == "'' \"the host's\"\n"


@pytest.mark.promise("SBX-04b", "D-CMD-11")
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


def test_a_message_shows_a_name_on_one_line_and_not_all_of_a_long_one(tmp_path: Path) -> None:
    for program in ("x" * 100_000, "a\nb"):
        with pytest.raises(PermissionDenied) as caught:
            run(LocalExecutor(["cat"]).run(Command(program), workspace=tmp_path))
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 400


def test_an_absolute_path_may_be_listed(tmp_path: Path) -> None:
    assert run(LocalExecutor(["/bin/true"]).run(Command("/bin/true"), workspace=tmp_path)).exit_code == 0


def test_a_foreign_signal_is_an_exit_status(tmp_path: Path) -> None:
    assert _run("kill -9 $$", tmp_path).exit_code == -9


@pytest.mark.promise("D-CMD-11")
def test_a_command_leads_a_group_and_a_session_of_its_own(tmp_path: Path) -> None:
    pid, group, session = _run("exec cut -d ' ' -f 1,5,6 /proc/self/stat", tmp_path).stdout.split()
    assert pid == group == session


def test_a_workspace_that_is_not_there_is_told_from_a_missing_program(tmp_path: Path) -> None:
    with pytest.raises(CommandUnavailable, match="the workspace cannot be entered: No such file") as caught:
        _run("true", tmp_path / "gone")
    assert str(tmp_path) not in str(caught.value)


def test_what_never_started_is_a_refusal() -> None:
    assert issubclass(CommandUnavailable, RefusedCall)
