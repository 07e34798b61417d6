"""Arguments that a model wrote as text: one JSON object, read strictly, or a reason that repeats nothing of it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import JsonObject, JsonValue
from ditto_formats.json_text import MAX_CHARACTERS, MAX_LEVELS, Unreadable, read, read_object, write
from tests.support.strategies import json_objects, json_values

REFUSED = {
    "": "is empty",
    " \n\t": "is empty",
    "{": "no valid JSON",
    '{"a": 1,}': "no valid JSON",
    '{"a": 1} ': None,
    '{"a": 1} {"b": 2}': "no valid JSON: extra data, at character 10",
    '{"a": 1}}': "no valid JSON",
    "{'a': 1}": "no valid JSON",
    '{"a": tru': "no valid JSON",
    '{"a": "b': "no valid JSON",
    '{"a": "b\n"}': "no valid JSON",
    '{"a": .5}': "no valid JSON",
    '{"a": 01}': "no valid JSON",
    '{"a": 0x1}': "no valid JSON",
    '// no\n{"a": 1}': "no valid JSON",
    '```json\n{"a": 1}\n```': "no valid JSON",
    '\ufeff{"a": 1}': "no valid JSON",
    '\xa0{"a": 1}': "no valid JSON",
    '{"a": 1, "a": 1}': "twice in one object",
    '{"b": {"a": 1, "\\u0061": 2}}': "twice in one object",
    '{"a": NaN}': "NaN",
    '{"a": [Infinity]}': "Infinity",
    '{"a": -Infinity}': "-Infinity",
    '{"a": 1e400}': "too large",
    '{"a": -1e999}': "too large",
    "[]": "not a list",
    "[{}]": "not a list",
    "null": "not null",
    "true": "not true or false",
    "5": "not a number",
    "5.5": "not a number",
    '"{}"': "not a string",
    '"{\\"a\\": 1}"': "not a string",
}


@pytest.mark.case("TOOL-04", "JSON-01")
@pytest.mark.parametrize(("text", "reason"), REFUSED.items())
def test_what_is_not_one_object_is_refused_with_the_reason(text: str, reason: str | None) -> None:
    if reason is None:
        assert read_object(text) == {"a": 1}
        return
    with pytest.raises(Unreadable, match=reason):
        read_object(text)


@pytest.mark.parametrize("other", [None, {}, [], 5, True, b"{}"])
def test_what_is_no_text_is_refused(other: object) -> None:
    with pytest.raises(Unreadable, match="must be text"):
        read_object(other)


@pytest.mark.case("JSON-03")
@pytest.mark.parametrize("depth", [MAX_LEVELS + 1, 900, 2_000, 20_000, 200_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_is_too_deep_is_refused_at_once(depth: int, opening: str) -> None:
    begun = time.process_time()
    with pytest.raises(Unreadable, match=r"nested more than 128 deep|longer than"):
        read('{"a":' + opening * (depth - 1))
    assert time.process_time() - begun < 1


def test_the_bounds_are_reached_and_not_passed() -> None:
    read("[" * MAX_LEVELS + "]" * MAX_LEVELS)
    assert read('"' + "[" * 1_000 + '"') == "[" * 1_000
    assert read('"' + "a" * (MAX_CHARACTERS - 2) + '"') == "a" * (MAX_CHARACTERS - 2)
    with pytest.raises(Unreadable, match="longer than 1,048,576 characters"):
        read('"' + "a" * (MAX_CHARACTERS - 1) + '"')


@given(value=json_objects)
def test_every_object_is_read_as_it_was_written(value: JsonObject) -> None:
    assert same(read_object(json.dumps(value)), value)
    assert same(read_object(write(value)), value)
    assert same(read_object(json.dumps(value, indent=2, ensure_ascii=False)), value)


@given(value=json_values)
def test_what_is_written_is_one_line_of_json(value: JsonValue) -> None:
    written = write(value)
    assert "\n" not in written
    assert same(json.loads(written), value)


@given(value=json_objects, at=st.integers(min_value=0))
def test_a_cut_text_is_refused(value: JsonObject, at: int) -> None:
    text = write(value)
    with pytest.raises(Unreadable):
        read_object(text[: at % len(text)])


@given(text=st.text() | st.text(st.sampled_from('{}[]":,\\u0dn1e.-tfN ')))
def test_any_text_is_an_object_or_refused_without_repeating_it(text: str) -> None:
    reason = ""
    try:
        value = read_object(text)
    except Unreadable as unreadable:
        reason = str(unreadable)
    assert reason or same(json.loads(text), value)
    assert len(reason) < 100
    assert reason.isascii()


@given(key=st.text(max_size=5), values=st.tuples(json_values, json_values))
def test_a_key_is_there_once_at_any_depth(key: str, values: tuple[JsonValue, JsonValue]) -> None:
    name = json.dumps(key)
    with pytest.raises(Unreadable, match="twice in one object"):
        read_object(f'{{"a": [{{{name}: {json.dumps(values[0])}, {name}: {json.dumps(values[1])}}}]}}')


def same(one: object, other: object) -> bool:
    """Tell whether both are the same JSON: 1, 1.0 and true are three values."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
