"""No command is run whose exit status the system would drop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ditto_core import Command, CommandUnavailable
from ditto_local import LocalExecutor
from tests.support import run


@pytest.fixture
def _ignored() -> Iterator[None]:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGCHLD, before)


def _refused(folder: Path) -> None:
    with pytest.raises(CommandUnavailable, match=r"ignores SIGCHLD.*SIG_DFL\)\. Nothing has run\.$"):
        run(LocalExecutor(["touch"]).run(Command("touch", ("ran",)), workspace=folder))


@pytest.mark.usefixtures("_ignored")
def test_nothing_runs_while_the_signal_is_ignored_that_tells_of_children(tmp_path: Path) -> None:
    _refused(tmp_path)
    assert not (tmp_path / "ran").exists()


@pytest.mark.usefixtures("_ignored")
def test_a_loop_in_another_thread_sees_it_too(tmp_path: Path) -> None:
    ends: list[str] = []

    def loop() -> None:
        _refused(tmp_path)
        ends.append("refused")

    thread = threading.Thread(target=loop)
    thread.start()
    thread.join(timeout=20)
    assert ends == ["refused"]


def test_a_handler_of_the_applications_own_is_no_hindrance(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, lambda number, frame: None)
    try:
        result = run(LocalExecutor(["sh"]).run(Command("sh", ("-c", "exit 3")), workspace=tmp_path), timeout=30)
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert result.exit_code == 3
