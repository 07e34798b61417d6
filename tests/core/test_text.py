"""How foreign text is shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core.text import MAX_QUOTED, describe, escape, guess, quote


@given(st.text())
@pytest.mark.case("SEC-06")
def test_escaped_text_is_one_printable_line(text: str) -> None:
    shown = escape(text)
    assert len(shown.splitlines()) <= 1
    shown.encode()
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in shown)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))))
def test_harmless_text_is_shown_as_it_is(text: str) -> None:
    assert escape(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x\n2026-01-01 INFO ok", r"'x\n2026-01-01 INFO ok'"),
        ("a\r\tb", r"'a\r\tb'"),
        ("\x85\u2028\x1b\x07", r"'\x85\u2028\x1b\x07'"),
        ("a\ud800", r"'a\ud800'"),
        ("a" * 200, f"'{'a' * MAX_QUOTED}…'"),
    ],
)
@pytest.mark.case("SEC-06")
def test_a_foreign_name_is_quoted_on_one_line_and_short(text: str, shown: str) -> None:
    assert quote(text) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "None"), (5, "an int"), ([], "a list"), ({}, "a dict"), (b"", "a bytes"), (True, "a bool")],
)
def test_anything_else_is_only_described(value: Any, shown: str) -> None:
    assert describe(value) == shown
    assert quote(value) == shown


def test_a_repr_is_never_asked_for() -> None:
    class Secretive:
        def __repr__(self) -> str:
            raise AssertionError

        __str__ = __repr__

    assert describe(Secretive()) == "a Secretive"


def test_a_near_name_is_suggested_and_a_far_one_is_not() -> None:
    assert guess("raed_text", ["read_text", "write_text"]) == " Did you mean 'read_text'?"
    assert guess("delete", ["read_text"]) == ""
    assert guess("x" * 1_000_000, ["read_text"]) == ""
