"""A command's group is killed by its number, and never another one that has got the number since."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator

import pytest

from ditto_local.groups import CommandGroup
from tests.support import run
from tests.support.processes import footprint, gone, lives


@contextlib.contextmanager
def _somebody_else() -> Iterator[subprocess.Popen[bytes]]:
    """Give a process that leads a group of its own and has nothing to do with the command."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _left_alone(process: subprocess.Popen[bytes]) -> bool:
    """Tell whether nobody has killed a process: the first signal that ends it is its status."""
    process.terminate()
    return process.wait(timeout=20) == -15


def _ended() -> tuple[int, int]:
    """Return the number of a process that has ended and is reaped, and that of one that is left of its group."""
    with subprocess.Popen(["sh", "-c", "sleep 60 >&- & echo $!"], stdout=-1, start_new_session=True) as process:
        assert process.stdout
        return process.pid, int(process.stdout.read())


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("descriptors", [True, False])
def test_a_group_that_outlives_its_leader_is_killed(
    ended: bool, descriptors: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not descriptors:
        monkeypatch.delattr(os, "pidfd_open")
    number, left = _ended()
    assert lives(left)
    CommandGroup(number).kill(ended=ended)
    run(gone(left), timeout=30)


@pytest.mark.parametrize("ended", [True, False])
def test_a_leader_that_ends_while_nobody_looks_does_not_save_its_group(ended: bool) -> None:
    with subprocess.Popen(
        ["sh", "-c", "sleep 60 >&- & echo $!; read line"], stdin=-1, stdout=-1, start_new_session=True
    ) as process:
        assert process.stdout
        left = int(process.stdout.readline())
        group = CommandGroup(process.pid)
        process.communicate(timeout=20)
        group.kill(ended=ended)
        group.close()
    run(gone(left), timeout=30)


@pytest.mark.parametrize("descriptors", [True, False])
def test_a_number_that_another_process_has_got_is_left_alone(
    descriptors: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not descriptors:
        monkeypatch.delattr(os, "pidfd_open")
    with _somebody_else() as other:
        group = CommandGroup(other.pid)
        group.kill(ended=True)
        group.close()
        assert _left_alone(other)


@pytest.mark.parametrize("reaped", ["before it was looked at", "since then"])
def test_the_number_of_a_process_that_was_reaped_and_nobody_has_told_is_not_trusted(
    reaped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = subprocess.Popen(["sleep", "60"])
    descriptor = os.pidfd_open(command.pid)
    command.kill()
    command.wait(timeout=20)

    def opened(number: int) -> int:
        if reaped == "since then":
            return descriptor
        os.close(descriptor)
        raise ProcessLookupError(3, "No such process")

    monkeypatch.setattr(os, "pidfd_open", opened)
    with _somebody_else() as other:
        group = CommandGroup(other.pid)
        group.kill(ended=False)
        group.close()
        assert _left_alone(other)


def test_a_number_that_another_user_has_got_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(number: int, signal: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    killed: list[int] = []
    monkeypatch.setattr(os, "kill", refused)
    monkeypatch.setattr(os, "killpg", lambda number, signal: killed.append(number))
    group = CommandGroup(os.getpid())
    group.kill(ended=True)
    group.close()
    assert killed == []


def test_a_process_of_another_user_is_still_the_commands_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(descriptor: int, signal: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    with _somebody_else() as command:
        monkeypatch.setattr("signal.pidfd_send_signal", refused)
        group = CommandGroup(command.pid)
        group.kill(ended=False)
        group.close()
        assert command.wait(timeout=20) == -9


def test_what_a_group_is_held_by_is_given_back_once() -> None:
    async def scenario() -> None:
        before = footprint()
        group = CommandGroup(os.getpid())
        assert footprint() != before
        group.close()
        group.close()
        assert footprint() == before

    run(scenario())
