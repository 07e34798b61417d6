"""Arguments out of schemas: those that fit do, those that do not do not, and what cannot be made is said."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from acme_pack import AcmePack
from ditto_commands import CommandTools
from ditto_core import Tool, tool
from ditto_testkit.labs.samples import some
from ditto_testkit.strategies import NoStrategy, arguments, invalid_arguments
from tests.support.arguments import argument_classes

TAGGED = [
    {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind", "x"]},
    {"type": "object", "properties": {"kind": {"const": "b"}, "y": {"type": "string"}}, "required": ["kind"]},
]
SCHEMAS: dict[str, dict[str, Any]] = {
    "integers": {"minimum": 3, "exclusiveMaximum": 9.5, "type": "integer", "multipleOf": 2},
    "numbers": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    "numbers of huge bounds": {"type": "number", "minimum": 10**400},
    "lengths": {"type": "string", "minLength": 2, "maxLength": 5},
    "a pattern": {"type": "string", "pattern": r"^(?:[a-c]{1,3}/)*[a-c]$(?!\n)", "maxLength": 20},
    "a pattern that looks ahead": {"type": "string", "pattern": r"^(?:(?!x)[a-z]{1,3})$(?!\n)"},
    "enum": {"enum": [1, "a", None, True, [1]]},
    "const": {"const": {"a": [1]}},
    "several types": {"type": ["null", "boolean", "integer"]},
    "arrays": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3, "uniqueItems": True},
    "unique ones and trues": {
        "type": "array",
        "items": {"enum": [1, True, 0, False]},
        "uniqueItems": True,
        "minItems": 3,
    },
    "tuples": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}], "items": False, "minItems": 1},
    "objects": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1, "maxProperties": 3},
    "named members": {"type": "object", "propertyNames": {"pattern": "^[ab]+$"}, "minProperties": 1},
    "anyOf": {"anyOf": [{"type": "integer", "minimum": 5}, {"type": "string", "maxLength": 3}]},
    "oneOf by tag": {"oneOf": TAGGED},
    "allOf": {"allOf": [{"type": "integer", "minimum": 3}, {"maximum": 5}]},
    "allOf of bounds": {"type": "number", "allOf": [{"minimum": 3, "maximum": 9}, {"minimum": 1, "maximum": 5}]},
    "allOf of types": {"allOf": [{"type": ["integer", "string"]}, {"type": ["number", "null"]}]},
    "allOf of enums": {"allOf": [{"enum": ["a", 1, True]}, {"enum": [1, "b", "a"]}]},
    "allOf of objects": {
        "type": "object",
        "allOf": [
            {"properties": {"a": {"type": "integer"}, "b": True}, "required": ["a"], "maxProperties": 3},
            {"properties": {"a": {"minimum": 2}, "b": {"type": "null"}}, "required": ["a", "b"]},
        ],
    },
    "allOf of arrays": {
        "type": "array",
        "allOf": [{"items": {"type": "string"}, "maxItems": 4}, {"items": {"maxLength": 3}, "minItems": 1}],
    },
    "allOf of choices": {
        "allOf": [
            {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            {"anyOf": [{"type": "integer", "minimum": 7}, {"type": "null"}]},
        ]
    },
    "a reference": {"$ref": "#/$defs/name"},
    "a tree": {"$ref": "#/$defs/tree"},
    "keywords that are only judged": {"type": "integer", "not": {"multipleOf": 3}},
    "if": {"type": "string", "if": {"maxLength": 2}, "then": {"pattern": "^a"}},
    "no type": {"minLength": 2},
    "anything": {},
}
DEFINITIONS = {
    "name": {"type": "string", "minLength": 1},
    "tree": {
        "type": "object",
        "properties": {"next": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/tree"}]}},
        "required": ["next"],
        "additionalProperties": False,
    },
}


_exact = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)


def fits(schema: dict[str, Any], value: object) -> bool:
    """Whether a validator accepts the value for which ``1.0`` is no integer."""
    return bool(_exact(schema).is_valid(value))


def of(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {"x": schema}
    return {
        "type": "object",
        "properties": properties,
        "required": ["x"],
        "additionalProperties": False,
        "$defs": DEFINITIONS,
    }


FEW = settings(max_examples=20, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None)


@pytest.mark.promise("D-KIT-03")
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_arguments_fit_their_schema(schema: dict[str, Any]) -> None:
    @FEW
    @given(arguments(of(schema)))
    def check(given: Any) -> None:
        assert Draft202012Validator(of(schema)).is_valid(given)
        assert fits(of(schema), given)

    check()


@pytest.mark.promise("D-KIT-03")
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_invalid_arguments_do_not_fit(schema: dict[str, Any]) -> None:
    @FEW
    @given(invalid_arguments(of(schema)))
    def check(given: Any) -> None:
        assert type(given) is dict
        assert not Draft202012Validator(of(schema)).is_valid(given)
        assert not fits(of(schema), given)

    check()


@pytest.mark.promise("D-KIT-03")
@FEW
@given(st.data(), argument_classes)
def test_arguments_of_decorated_functions_are_what_their_tools_accept(data: Any, made: type[Any]) -> None:
    def function(arguments: Any) -> str:
        return ""

    function.__annotations__["arguments"] = made
    one: Tool[Any] = tool(description="x")(function)
    try:
        given = data.draw(arguments(one.input_schema))
    except NoStrategy:
        return
    one.validate(given)


@pytest.mark.parametrize("one", [*CommandTools().ditto_tools(), *AcmePack().ditto_tools()], ids=lambda one: one.name)
def test_tools_of_real_packs_accept_and_refuse(one: Tool[Any]) -> None:
    @settings(FEW, max_examples=10)
    @given(invalid_arguments(one.input_schema))
    def check(given: Any) -> None:
        with pytest.raises(ValueError, match=r"."):
            one.validate(given)

    check()


@pytest.mark.promise("D-KIT-03")
def test_whole_floats_stand_nowhere_an_integer_may_stand() -> None:
    schema = of({"type": "integer"})
    assert find(arguments(schema), lambda given: True) == {"x": 0}
    with pytest.raises(Unsatisfiable):
        find(of_floats(schema), lambda given: True, settings=FEW)


def of_floats(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    made = arguments(schema) | invalid_arguments(schema)
    return made.filter(lambda given: type(given.get("x")) is float and given["x"].is_integer())


@pytest.mark.promise("D-KIT-03")
@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "object", "not": {}}, "'not' at $"),
        ({"type": "object", "properties": {"x": {"not": {}}}, "required": ["x"]}, "'not' at $.properties.x"),
        (
            {"type": "object", "properties": {"x": {"oneOf": [{}, {}]}}, "required": ["x"]},
            "'oneOf' at $.properties.x.oneOf",
        ),
        ({"type": "nonsense"}, "no JSON Schema of draft 2020-12"),
        ({"$ref": "https://example.com/x"}, "'https://example.com/x' leads nowhere in the schema"),
        ({"$ref": "#/$defs/nothing"}, "'#/$defs/nothing' leads nowhere in the schema"),
        ({"type": "object", "properties": {"x": {"$ref": "#/type/x"}}}, "'#/type/x' leads nowhere in the schema"),
        ({"type": "object", "properties": {"x": {"$ref": "#gone"}}}, "'#gone' leads nowhere in the schema"),
    ],
)
def test_what_cannot_be_made_is_said(schema: dict[str, Any], told: str) -> None:
    with pytest.raises(NoStrategy) as caught:
        find(arguments(schema), lambda given: True, settings=FEW)
    assert told in str(caught.value)


_ITEM: Any = {
    "$id": "item",
    "type": "object",
    "properties": {"n": {"$ref": "#/$defs/n"}},
    "required": ["n"],
    "$defs": {"n": {"type": "integer"}},
}
REFERRING: dict[str, tuple[Any, dict[str, Any]]] = {
    "to an id": ({"$ref": "item"}, {"item": _ITEM}),
    "to a whole address": ({"$ref": "https://acme.example/item"}, {"item": _ITEM}),
    "into another base": ({"$ref": "item#/$defs/n"}, {"item": _ITEM}),
    "to an anchor": ({"$ref": "#here"}, {"a": {"$anchor": "here", "type": "string"}}),
    "with signs": ({"$ref": "#/$defs/a~1b%25c"}, {"a/b%c": {"type": "null"}}),
    "to an item of a list": ({"$ref": "#/$defs/a/anyOf/1"}, {"a": {"anyOf": [{}, {"type": "integer"}]}}),
    "one after the other": ({"$ref": "#/$defs/a"}, {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "item"}, "c": _ITEM}),
    "beside keywords": ({"$ref": "#/$defs/a", "maxLength": 3}, {"a": {"type": "string", "minLength": 2}}),
    "to the whole": ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, {}),
    "to each other": (
        {"$ref": "#/$defs/a"},
        {
            "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}},
            "b": {"type": "array", "items": {"$ref": "#/$defs/a"}},
        },
    ),
    "to nothing but truth": ({"$ref": "#/$defs/a"}, {"a": True}),
    "in a value, where it is none": ({"const": {"$ref": "#/nowhere"}}, {}),
    "by dynamic scope": ({"anyOf": [{"type": "null"}, {"$dynamicRef": "#node"}]}, {"a": {"$dynamicAnchor": "node"}}),
}


@pytest.mark.promise("D-KIT-03")
@pytest.mark.parametrize(("schema", "definitions"), REFERRING.values(), ids=REFERRING)
def test_references_are_followed_from_their_base(schema: Any, definitions: dict[str, Any]) -> None:
    whole = {**of(schema), "$defs": definitions, "$id": "https://acme.example/root"}
    values = some(arguments(whole), 20)
    assert values
    assert all(fits(whole, value) for value in values)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        of({"$ref": "#"}),
        of({"type": "array", "items": {"enum": [1, 2]}, "minItems": 3, "uniqueItems": True}),
        of({"type": "array", "items": {"enum": []}, "minItems": 1}),
        of({"type": "array", "items": {"type": "string", "minLength": 5, "maxLength": 2}, "minItems": 1}),
        of({"type": "string", "pattern": "^a$", "minLength": 5}),
    ],
)
def test_a_schema_that_nothing_fits_gives_nothing(schema: dict[str, Any]) -> None:
    assert some(arguments(schema), 5) == []


def test_a_schema_that_everything_fits_has_no_invalid_arguments() -> None:
    with pytest.raises(Unsatisfiable):
        find(invalid_arguments({"type": "object"}), lambda given: True, settings=FEW)
