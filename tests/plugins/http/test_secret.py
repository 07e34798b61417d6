"""A key is what a header can hold, and nothing that is made of its holder shows it."""

from __future__ import annotations

import copy
import pickle
import pprint
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_http import Secret

KEYS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=64)
BAD = ["\r", "\n", "\r\nX: y", " ", "\t", "\0", "é", "\x7f", "\ud800"]

NO_HEADER = (
    "must be 1 to 9 printable ASCII characters, without blanks and ends of lines; "
    "strip what a file or a variable has around it, and give None for an endpoint without a key"
)


@attrs.frozen
class Holder:
    """What a plugin does with a key."""

    key: Secret = attrs.field(converter=Secret)


@given(key=KEYS, spare=st.integers(0, 9))
def test_a_key_is_taken_as_it_is(key: str, spare: int) -> None:
    secret = Secret(key)
    assert secret.problem(len(key) + spare) is None
    assert secret.problem(len(key), optional=True) is None
    assert (secret.is_given, secret.reveal()) == (True, key)


@given(key=KEYS, bad=st.sampled_from(BAD))
def test_what_no_header_can_hold_is_refused_and_not_quoted(key: str, bad: str) -> None:
    for text in (key + bad, bad + key, key + bad + key):
        for optional in (True, False):
            assert Secret(text).problem(1_000, optional=optional) == Secret("\x00x").problem(1_000, optional=optional)


@given(key=KEYS)
def test_a_key_that_is_too_long_is_refused(key: str) -> None:
    assert f"must be 1 to {len(key)} printable ASCII" in (Secret(f"{key}k").problem(len(key)) or "")


@pytest.mark.parametrize(
    ("value", "optional", "problem"),
    [
        (None, False, "must be a string, not None; read it from where your application keeps it"),
        (None, True, None),
        (b"key-x", False, "must be a string, not a bytes; read it from where your application keeps it"),
        (b"key-x", True, "must be a string or None, not a bytes"),
        (type("S", (str,), {})("key-x"), True, "must be a string or None, not a S"),
        (" \t", False, "must not be empty; read it from where your application keeps it"),
        ("", True, NO_HEADER),
    ],
)
def test_the_problem_says_the_fact_and_the_remedy(value: Any, problem: str | None, *, optional: bool) -> None:
    assert Secret(value).problem(9, optional=optional) == problem


def test_what_is_no_key_reveals_nothing() -> None:
    assert [Secret(value).reveal() for value in (None, 1, b"key-x", type("S", (str,), {})("key-x"))] == [""] * 4
    assert (repr(Secret(None)), Secret(None).is_given) == ("<none>", False)


@given(key=KEYS.filter(lambda key: len(key) > 8))
def test_nothing_that_is_made_of_a_holder_shows_the_key(key: str) -> None:
    holder = Holder(key)
    shown = [holder, copy.copy(holder), copy.deepcopy(holder), attrs.asdict(holder), attrs.astuple(holder)]
    shown += [copy.copy(holder.key), copy.deepcopy(holder.key)]
    shown += [f"{holder} {holder!r} {holder.key} {holder.key!r}", "%s" % holder.key, [dir(holder.key)]]  # noqa: UP031
    for thing in shown:
        assert key not in f"{thing!r}{thing}{pprint.pformat(thing)}"
    assert copy.deepcopy(holder).key.reveal() == copy.copy(holder).key.reveal() == key


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_holder_cannot_be_stored(protocol: int) -> None:
    with pytest.raises(TypeError, match="cannot be pickled") as raised:
        pickle.dumps(Holder("key-x"), protocol)
    assert "key-x" not in str(raised.value)
