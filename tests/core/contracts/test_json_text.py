"""JSON as text: what the standard library's strict reading takes is taken, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, JsonValue, parse_json
from ditto_core.contracts.json_text import MAX_CHARACTERS, MAX_DIGITS
from tests.support.strategies import json_values

TEXTS = st.text(alphabet='{}[]",:0123456789.eE+-truefalsn\\u d\n', max_size=40)


@given(json_values, st.booleans())
def test_what_was_written_is_read_again(value: JsonValue, ascii: bool) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=ascii)) == value


@given(TEXTS)
def test_it_takes_what_strict_reading_takes_and_no_more(text: str) -> None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError(text)
        return dict(pairs)

    def refused(name: str) -> Any:
        raise ValueError(name)

    try:
        expected = json.loads(text, object_pairs_hook=once, parse_constant=refused)
    except ValueError:
        with pytest.raises(InvalidValue):
            parse_json(text)
    else:
        if "Infinity" not in json.dumps(expected):
            assert parse_json(text) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is no valid JSON: expecting value, at character 1"),
        ("\n\n{", "enclosed in double quotes, at character 2 at line 3"),
        ('{"a": 1, "a": 2}', "has the key 'a' twice in one object; keep one"),
        ('{"a": NaN}', "holds NaN, which is no JSON"),
        ("[-Infinity]", "holds -Infinity, which is no JSON"),
        ("1e400", "holds a number that is too large"),
        ("9" * (MAX_DIGITS + 1), "holds an integer of more than 4,300 digits"),
        ("[" * 129 + "]" * 129, "is nested more than 128 deep"),
        ("[" * 100_000, "is nested more than 128 deep"),
        ('"' + "x" * MAX_CHARACTERS + '"', "is longer than 1,048,576 characters"),
        (b"{}", "must be a text that holds JSON, not a bytes"),
    ],
)
def test_why_a_text_is_refused_is_told(text: Any, problem: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        parse_json(text)
    assert problem in str(caught.value)
    assert caught.value.__context__ is None


@given(st.text("abcxyz", min_size=12, max_size=30))
def test_nothing_of_the_text_is_shown_but_a_key(secret: str) -> None:
    for text in (f'{{"a": "{secret}"', f"[{secret}]", f'{{"a": "{secret}", "a": 1}}'):
        with pytest.raises(InvalidValue) as caught:
            parse_json(text)
        assert secret not in str(caught.value)


def test_bounds_are_the_callers_to_lower() -> None:
    assert parse_json("[[]]", max_depth=2) == [[]]
    with pytest.raises(InvalidValue, match="more than 1 deep"):
        parse_json("[[]]", max_depth=1)
    with pytest.raises(InvalidValue, match="longer than 3"):
        parse_json("[[]]", max_characters=3)
    assert parse_json("-" + "9" * MAX_DIGITS) == 1 - 10**MAX_DIGITS
