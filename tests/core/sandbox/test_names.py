"""File names as text: every name has one form, that form is valid Unicode, and it opens its own file."""

from __future__ import annotations

import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ditto_core.sandbox.names import on_disk, shown

PIECES = [
    b"\\",
    b"x",
    b"5c",
    b"\\x5c",
    b"\\xe9",
    b"\\xE9",
    b"\\x2d",
    b"\xe9",
    "é".encode(),
    b"\xff",
    b"a",
    b"/",
    b"\xed\xa0\x80",
]
raw_names = (st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join) | st.binary(max_size=12)).map(os.fsdecode)


@given(raw_names)
@example(os.fsdecode(b"caf\xe9"))
@example("caf\\xe9")
def test_the_text_form_leads_back_to_the_name_and_can_be_written(raw: str) -> None:
    name = shown(raw)
    assert name.encode().decode() == name
    assert on_disk(name) == raw


@given(raw_names, raw_names)
def test_two_names_never_look_alike(one: str, two: str) -> None:
    assert (shown(one) == shown(two)) is (one == two)


@pytest.mark.parametrize(
    "name", ["a.txt", "naïve файл", "a\\b", "C:\\x", "a\\x2db", "\\x", "\\xE9", "line\nbreak", "\ufeff"]
)
def test_an_ordinary_name_is_its_own_form(name: str) -> None:
    assert shown(name) == name == on_disk(name)


@pytest.mark.parametrize(
    ("raw", "name"),
    [(b"caf\xe9", "caf\\xe9"), (b"caf\\xe9", "caf\\x5cxe9"), (b"\\x5c", "\\x5cx5c"), (b"\\\xff", "\\\\xff")],
)
def test_what_is_not_utf8_is_written_as_hexadecimal(raw: bytes, name: str) -> None:
    assert shown(os.fsdecode(raw)) == name


@given(st.text())
def test_no_text_form_can_smuggle_in_a_separator_or_a_dot(name: str) -> None:
    raw = os.fsencode(on_disk(name.encode(errors="ignore").decode()))
    for special in (b"/", b".", b"\0"):
        assert raw.count(special) == name.count(special.decode())
