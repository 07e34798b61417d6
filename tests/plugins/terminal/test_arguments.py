"""The arguments of a call, as they are typed."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from ditto_terminal.arguments import MAX_CHARACTERS, arguments_of

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}}}
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5)


@given(st.dictionaries(st.text(), JSON))
def test_one_json_object_is_the_arguments(arguments: dict[str, Any]) -> None:
    assert arguments_of([json.dumps(arguments)], SCHEMA) == arguments
    assert arguments_of([f"  {json.dumps(arguments)}"], SCHEMA) == arguments


@given(st.text(max_size=30))
def test_a_property_that_is_a_string_is_taken_as_typed(value: str) -> None:
    assert arguments_of([f"path={value}"], SCHEMA) == {"path": value}


def test_other_values_are_json_where_they_parse() -> None:
    words = ["lines=3", "other=[1, 2]", "flag=true", "word=src"]
    assert arguments_of(words, SCHEMA) == {"lines": 3, "other": [1, 2], "flag": True, "word": "src"}


def test_standard_input_holds_an_object(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO('{"path": "a"}\n'))
    assert arguments_of(["-"], SCHEMA) == {"path": "a"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["path"], "'path' is no argument"),
        (["=x"], "is no argument"),
        (["path=a", "path=b"], "given twice"),
        (['{"a": 1, "a": 2}'], "has the key 'a' twice"),
        (['{"a": NaN}'], "holds NaN"),
        (['{"a": }'], "expecting value, at character 7"),
        (['{"a": [' + "[" * 100_000], "nested more than 128 deep"),
        ([f'{{"a": {"9" * 5000}}}'], "more than 4,300 digits"),
        ([f'{{"a": "{"x" * MAX_CHARACTERS}"}}'], "is longer than"),
    ],
)
def test_what_is_no_object_is_wrong_usage(words: list[str], told: str) -> None:
    with pytest.raises(typer.BadParameter, match=told):
        arguments_of(words, SCHEMA)


def test_standard_input_that_is_no_object_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("[1]"))
    with pytest.raises(typer.BadParameter, match="standard input is no object"):
        arguments_of(["-"], SCHEMA)


@pytest.mark.parametrize("schema", [{}, {"properties": []}, {"properties": {"path": True}}])
def test_a_schema_that_says_nothing_helps_not(schema: dict[str, Any]) -> None:
    assert arguments_of(["path=1"], schema) == {"path": 1}
