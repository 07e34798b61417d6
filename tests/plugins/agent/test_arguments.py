"""Arguments against schemas of strangers: nothing is fetched, nothing runs for hours, and what fits passes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from ditto_agent.arguments import Schemas
from ditto_core import InvalidSchema
from ditto_infer import Action
from tests.support.strategies import json_values

SLOW = {"type": "string", "pattern": "^(a+)+$"}


def problem(schema: dict[str, Any], arguments: dict[str, Any]) -> str | None:
    return Schemas([Action(name="act", input_schema=schema)]).problem("act", arguments)


@given(arguments=st.dictionaries(st.sampled_from("abc"), json_values, max_size=3))
def test_without_patterns_the_check_agrees_with_the_validator(arguments: dict[str, Any]) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": ["integer", "null"]}, "b": {"anyOf": [{"type": "string"}, {"maxItems": 1}]}},
        "required": ["a"],
        "additionalProperties": {"type": "boolean"},
    }
    assert (problem(schema, arguments) is None) == Draft202012Validator(schema).is_valid(arguments)


def test_a_pattern_is_left_to_the_tool() -> None:
    hostile = "a" * 40 + "!"
    assert problem({"properties": {"a": SLOW}}, {"a": hostile}) is None
    assert problem({"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}, {hostile: 1}) is None
    assert problem({"$defs": {"s": SLOW}, "properties": {"a": {"$ref": "#/$defs/s"}}}, {"a": 1}) is not None
    assert problem({"anyOf": [{"properties": {"a": SLOW}}]}, {"a": hostile}) is None


def test_properties_and_values_that_are_called_like_keywords_stay() -> None:
    schema = {"properties": {"pattern": {"type": "integer"}}, "required": ["pattern"], "additionalProperties": False}
    assert problem(schema, {"pattern": 1}) is None
    assert problem(schema, {"pattern": "x"}) is not None
    assert problem({"properties": {"a": {"const": {"pattern": "x"}}}}, {"a": {}}) is not None


@pytest.mark.parametrize("reference", ["http://127.0.0.1:9/schema", "#/$defs/none", "#", "file:///etc/passwd"])
def test_a_reference_that_leads_nowhere_or_in_a_circle_refuses_the_arguments(reference: str) -> None:
    assert problem({"$ref": reference}, {"a": 1}) is not None


@pytest.mark.parametrize("schema", [{"type": "x"}, {"required": "a"}, {"properties": []}, {"minLength": -1}])
def test_what_is_no_schema_is_refused_with_the_action_named(schema: dict[str, Any]) -> None:
    with pytest.raises(InvalidSchema, match=r"^Action 'act': its input_schema is no JSON Schema"):
        problem(schema, {})


def test_what_is_wrong_is_said_without_the_value() -> None:
    schema = {"properties": {"list": {"items": {"type": "integer"}}}}
    assert problem(schema, {"list": [1, "sk-secret"]}) == "The arguments['list'][1] break the schema's rule 'type'."
