"""What is done for a broken standard output at the end of the process; the processes' own tests show the effect."""

from __future__ import annotations

import atexit
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ditto_console.shutdown import forget_at_exit


@pytest.fixture
def at_exit(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Collect what is registered for the end of the process instead of registering it."""
    registered: list[Callable[[], None]] = []

    def register(function: Callable[..., None], *args: Any) -> None:
        registered.append(lambda: function(*args))

    monkeypatch.setattr(atexit, "register", register)
    monkeypatch.setattr(atexit, "unregister", lambda _: registered.clear())
    return registered


def test_what_is_left_in_a_broken_standard_output_goes_nowhere(
    at_exit: list[Callable[[], None]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "out").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        stream.write("left")
        forget_at_exit(stream)
        forget_at_exit(stream)
        (forget,) = at_exit
        forget()
    assert (tmp_path / "out").read_bytes() == b""


def test_another_stream_is_left_alone(at_exit: list[Callable[[], None]]) -> None:
    forget_at_exit(io.StringIO())
    assert at_exit == []


@pytest.mark.parametrize("closed", [True, False])
def test_a_stream_that_is_closed_or_no_file_is_no_problem(
    at_exit: list[Callable[[], None]], monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    forget_at_exit(stream)
    if closed:
        stream.close()
    at_exit[0]()
