"""What is written to standard output."""

from __future__ import annotations

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_terminal.printing import shown, shown_on_one_line, write, write_json, write_table


@given(st.text())
def test_no_control_of_a_foreign_text_reaches_the_terminal(text: str) -> None:
    for character in shown(text):
        assert character in "\n\t" or not (ord(character) < 32 or 127 <= ord(character) < 160)
    assert "\u202e" not in shown(text)
    assert len(shown_on_one_line(text).splitlines()) <= 1


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_letters_digits_and_signs_stay_as_they_are(text: str) -> None:
    assert shown(text) == text


def test_lines_and_tabs_stay_and_everything_else_is_an_escape() -> None:
    assert shown("a\tb\nc\r\x1b[31m\ud800") == "a\tb\nc\\r\\x1b[31m\\ud800"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_narrow_stream_takes_every_text(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding, newline=""))
    write("café → 😀")
    write_json({"text": "café"})
    sys.stdout.flush()
    first, second = raw.getvalue().decode(encoding).splitlines()
    assert first.startswith("caf")
    assert json.loads(second) == {"text": "café"}


def test_a_table_for_a_program_is_cells_between_tabs(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(("a", "b"), [("1", "x\ty"), ("2", "")])
    assert capsys.readouterr().out == "1\tx\\ty\n2\t\n"
