"""Each type that `@tool` takes: its schema, what it accepts, what it refuses, and that the two agree."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal, Union

import attrs
import pytest
from attrs import validators

from ditto_core import UNSET, JsonObject, JsonValue, Unset
from tests.support.arguments import oracle
from tests.support.made import refusal, tool_with

HUGE = 10**400


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
    CRIMSON = "red"  # noqa: PIE796  # an alias, which the schema does not repeat


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Ratio(enum.Enum):
    HALF = 0.5
    ONE = 1.0


class Mixed(enum.Enum):
    YES = True
    ONE = "1"
    TWO = 2
    NOTHING = None


class Word(enum.StrEnum):
    A = "a"


@attrs.frozen
class Point:
    x: int
    y: int = attrs.field(default=0, alias="yPos")


POINT_SCHEMA = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "yPos": {"type": "integer", "default": 0}},
    "required": ["x"],
    "additionalProperties": False,
}

TABLE: list[Any] = [
    # form, schema, accepted, refused
    (str, {"type": "string"}, ["", "a\n", "😀"], [None, 1, ["a"], True]),
    (int, {"type": "integer"}, [0, -1, HUGE], [True, False, 1.0, "1", None, 1e300]),
    (float, {"type": "number"}, [0, 1.5, 1, -HUGE], [True, "1.5", None, [1.5]]),
    (bool, {"type": "boolean"}, [True, False], [0, 1, "true", None, 1.0]),
    (None, {"type": "null"}, [None], [0, "", False, [], {}]),
    (JsonValue, {}, [None, 1, "a", [1, {"a": None}], {}], []),
    (JsonObject, {"type": "object"}, [{}, {"a": [1]}], [[], None, "a"]),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, ["a", "b"], ["c", "A", "a\n", None, ["a"], {"a": 1}]),
    (Literal[1], {"type": "integer", "enum": [1]}, [1], [1.0, True, "1", 2]),
    (Literal[True], {"type": "boolean", "enum": [True]}, [True], [1, 1.0, False, "True"]),
    (
        Literal[0, "a", None],  # noqa: PYI061
        {"type": ["string", "integer", "null"], "enum": [0, "a", None]},
        [0, "a", None],
        [False, 0.0, ""],
    ),
    (Literal[Color.RED, "c"], {"type": "string", "enum": ["red", "c"]}, ["red", "c"], ["blue", "RED"]),
    (Color, {"type": "string", "enum": ["red", "blue"]}, ["red", "blue"], ["RED", "Color.RED", None, 0]),
    (Level, {"type": "integer", "enum": [1, 2]}, [1, 2], [True, 1.0, 3, "1"]),
    (Ratio, {"type": "number", "enum": [0.5, 1.0]}, [0.5, 1.0, 1], [True, 0, "0.5"]),
    (
        Mixed,
        {"type": ["string", "integer", "boolean", "null"], "enum": [True, "1", 2, None]},
        [True, "1", 2, None],
        [1, False, 2.0, 0],
    ),
    (Word, {"type": "string", "enum": ["a"]}, ["a"], ["A", "", 1]),
    (
        list[int],
        {"type": "array", "items": {"type": "integer"}},
        [[], [1, 2]],
        [[1, True], [1.0], {}, "12", None, [[1]]],
    ),
    (tuple[str, ...], {"type": "array", "items": {"type": "string"}}, [[], ["a", "b"]], [["a", 1], "ab", {"a": "b"}]),
    (
        dict[str, int],
        {"type": "object", "additionalProperties": {"type": "integer"}},
        [{}, {"": 1}],
        [{"a": True}, [], None],
    ),
    (
        list[list[JsonValue]],
        {"type": "array", "items": {"type": "array", "items": {}}},
        [[[]], [[None, 1]]],
        [[1], [None]],
    ),
    (
        Point | None,
        {"anyOf": [POINT_SCHEMA, {"type": "null"}]},
        [None, {"x": 1}, {"x": 1, "yPos": 2}],
        [{}, {"x": 1, "y": 2}, {"x": True}],
    ),
    (str | None, {"anyOf": [{"type": "string"}, {"type": "null"}]}, ["", None], [0, False, []]),
    (int | float, {"type": "number"}, [1, 1.5], [True, "1"]),
    (
        int | str | None,
        {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        [1, "1", None],
        [1.0, True, []],
    ),
    (bool | int, {"anyOf": [{"type": "boolean"}, {"type": "integer"}]}, [True, 1], [1.0, "1", None]),
    (
        Union[Literal["auto"], int],
        {"anyOf": [{"type": "string", "enum": ["auto"]}, {"type": "integer"}]},
        ["auto", 3],
        ["Auto", True, None],
    ),
    (
        list[int] | None,
        {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        [[1], None],
        [["1"], {}],
    ),
]


@pytest.mark.promise("TOOL-08")
@pytest.mark.case("TOOL-05")
@pytest.mark.parametrize(("form", "schema", "accepted", "refused"), TABLE, ids=[str(row[0])[-40:] for row in TABLE])
def test_a_type_accepts_what_its_schema_accepts(
    form: Any, schema: Any, accepted: list[Any], refused: list[Any]
) -> None:
    made = tool_with(form)
    assert made.input_schema == {
        "type": "object",
        "properties": {"x": schema},
        "required": ["x"],
        "additionalProperties": False,
    }
    fits = oracle(made.input_schema)
    assert [refusal(made, {"x": value}) for value in accepted] == [None] * len(accepted)
    assert all(fits({"x": value}) for value in accepted)
    assert None not in [refusal(made, {"x": value}) for value in refused]
    assert not any(fits({"x": value}) for value in refused)


@pytest.mark.parametrize(
    ("form", "given", "expected"),
    [
        (Color, "red", Color.RED),
        (Level, 2, Level.HIGH),
        (Ratio, 1, Ratio.ONE),
        (Literal[Color.BLUE], "blue", Color.BLUE),
        (list[Color], ["red"], [Color.RED]),
        (tuple[tuple[int, ...], ...], [[1], []], ((1,), ())),
        (dict[str, Point], {"a": {"x": 1, "yPos": 2}}, {"a": Point(x=1, yPos=2)}),
        (float, 3, 3),
        (int | float, 3, 3),
        (Point | None, {"x": 1}, Point(x=1)),
    ],
)
def test_what_the_function_receives(form: Any, given: Any, expected: Any) -> None:
    received = tool_with(form).validate({"x": given}).x
    assert received == expected
    assert type(received) is type(expected)


def test_an_unset_property_may_be_left_out_and_null_is_another_thing() -> None:
    made = tool_with(int | Unset, UNSET)
    assert made.input_schema["properties"] == {"x": {"type": "integer"}}
    assert "required" not in made.input_schema
    assert made.validate({}).x is UNSET
    assert made.validate({"x": 1}).x == 1
    assert refusal(made, {"x": None}) == "x: must be an integer, not null"


def test_an_unset_property_of_any_json_tells_absent_from_null() -> None:
    made = tool_with(JsonValue | Unset, UNSET)
    assert made.validate({}).x is UNSET
    assert made.validate({"x": None}).x is None


@pytest.mark.parametrize(
    ("form", "given", "words"),
    [
        (str, 1, "x: must be a string, not an integer"),
        (int, True, "x: must be an integer, not a boolean"),
        (int, 1.0, "x: must be an integer, not a decimal number"),
        (bool, "yes", "x: must be true or false, not a string"),
        (Color, "green", "x: must be one of 'red', 'blue'"),
        (Literal["a"], "b", "x: must be 'a'"),
        (list[int], [1, "2"], "x[1]: must be an integer, not a string"),
        (dict[str, list[int]], {"a": [None]}, "x.a[0]: must be an integer, not null"),
        (dict[str, int], {"a b": None}, "x['a b']: must be an integer, not null"),
        (
            dict[Annotated[str, validators.max_len(1)], int],
            {"ab": 1},
            "x: has the key 'ab', which must have at most 1 character",
        ),
        (Point | None, 5, "x: must be an object or null, not an integer"),
        (Point | None, {}, "x.x: is missing"),
        (Point | None, {"x": 1, "z": 1}, "x: has the unknown property 'z'; leave it out"),
        (int | str, None, "x: must be an integer or a string, not null"),
    ],
)
def test_a_refusal_names_path_and_rule_and_never_the_value(form: Any, given: Any, words: str) -> None:
    assert refusal(tool_with(form), {"x": given}) == words
