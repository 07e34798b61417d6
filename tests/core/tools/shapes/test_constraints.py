"""Each validator that `@tool` takes, in a field and in `Annotated`: its keywords, what is accepted and refused."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs import validators as v

from ditto_core import (
    UNSET,
    JsonObject,
    JsonValue,
    Tool,
    Unset,
    tool,
)
from tests.support.arguments import oracle
from tests.support.made import refusal, tool_with


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


def in_annotated(form: Any, validator: Any) -> Tool[Any]:
    return tool_with(Annotated[form, validator])


def in_field(form: Any, validator: Any) -> Tool[Any]:
    kind = attrs.make_class("Made", {"x": attrs.field(type=form, validator=validator)})

    async def made(arguments: Any) -> None: ...

    made.__annotations__ = {"arguments": kind, "return": None}
    return tool(made)


FULL = r"^(?:{})$(?!\n)".format

TABLE: list[Any] = [
    # form, validator, keywords, accepted, refused
    (int, v.ge(1), {"minimum": 1}, [1, 10**400], [0, -(10**400), True]),
    (int, v.gt(1), {"exclusiveMinimum": 1}, [2], [1, 0]),
    (int, v.le(20), {"maximum": 20}, [20, -5], [21, 20.0]),
    (int, v.lt(0.5), {"exclusiveMaximum": 0.5}, [0], [1]),
    (float, v.ge(0.5), {"minimum": 0.5}, [0.5, 1, 10**400], [0.4, 0, False]),
    (float, v.lt(2**53 + 1), {"exclusiveMaximum": 2**53 + 1}, [2**53], [2**53 + 1, float(2**53 + 2)]),
    (float, v.gt(1e308), {"exclusiveMinimum": 1e308}, [10**309], [1e308, 10**308]),
    (int, v.and_(v.ge(1), v.le(3)), {"minimum": 1, "maximum": 3}, [1, 3], [0, 4]),
    (int, v.and_(v.ge(1), v.and_(v.ge(3))), {"minimum": 1, "allOf": [{"minimum": 3}]}, [3], [1, 2]),
    (str, v.min_len(1), {"minLength": 1}, ["a", "\n"], [""]),
    (str, v.max_len(1), {"maxLength": 1}, ["", "😀"], ["😀a", "e\u0301"]),
    (list[int], v.min_len(1), {"minItems": 1}, [[1]], [[]]),
    (tuple[int, ...], v.max_len(1), {"maxItems": 1}, [[], [1]], [[1, 2]]),
    (dict[str, int], v.min_len(1), {"minProperties": 1}, [{"": 1}], [{}]),
    (JsonObject, v.max_len(0), {"maxProperties": 0}, [{}], [{"a": 1}]),
    (str, v.matches_re("[a-z]+"), {"pattern": FULL("[a-z]+")}, ["a", "abc"], ["", "a\n", "aB", "a b"]),
    (str, v.matches_re("a|bc"), {"pattern": FULL("a|bc")}, ["a", "bc"], ["ac", "abc", "b"]),
    (str, v.matches_re("a", func=re.match), {"pattern": "^(?:a)"}, ["a", "ab", "a\n"], ["ba", ""]),
    (str, v.matches_re("a", func=re.search), {"pattern": "a"}, ["a", "bab"], ["", "b"]),
    (
        str,
        [v.matches_re("a.?".replace(".", "[b]")), v.matches_re("a")],
        {"pattern": FULL("a[b]?"), "allOf": [{"pattern": FULL("a")}]},
        ["a"],
        ["ab"],
    ),
    (str, v.in_(["b", "a"]), {"enum": ["b", "a"]}, ["a", "b"], ["", "ab", "A"]),
    (str, v.in_({"b", "a", "c"}), {"enum": ["a", "b", "c"]}, ["c"], ["d"]),
    (str, v.in_({"b": 1}), {"enum": ["b"]}, ["b"], ["a"]),
    (int, v.in_(range(1, 4)), {"enum": [1, 2, 3]}, [1, 3], [0, 4, True, 1.0]),
    (float, v.in_([1, 2.5]), {"enum": [1, 2.5]}, [1, 1.0, 2.5], [True, 2]),
    (bool, v.in_([True]), {"enum": [True]}, [True], [False, 1]),
    (Color, v.in_([Color.BLUE]), {"enum": ["blue"]}, ["blue"], ["red", "BLUE"]),
    (Color, v.in_(Color), {"enum": ["red", "blue"]}, ["blue"], ["green"]),
    (Literal["a", "b"], v.in_(["b", "c"]), {"enum": ["b"]}, ["b"], ["a", "c"]),
    (str, [v.in_(["a", "b"]), v.in_(["b", "c"])], {"enum": ["b"]}, ["b"], ["a", "c"]),
    (str, [v.min_len(2), v.in_(["a", "bb"])], {"minLength": 2, "enum": ["a", "bb"]}, ["bb"], ["a"]),
    (int, v.instance_of(int), {}, [1], [True, "1"]),
    (float, v.instance_of((int, float)), {}, [1, 1.5], ["1"]),
    (list[str], v.instance_of(list), {}, [[]], [{}]),
    (int, v.optional(v.ge(1)), {"minimum": 1}, [1], [0, None]),
]


@pytest.mark.promise("TOOL-08")
@pytest.mark.case("TOOL-05")
@pytest.mark.parametrize("make", [in_annotated, in_field])
@pytest.mark.parametrize("row", TABLE)
def test_a_validator_narrows_schema_and_check_alike(make: Callable[[Any, Any], Tool[Any]], row: Any) -> None:
    form, validator, keywords, accepted, refused = row
    made = make(form, v.and_(*validator) if type(validator) is list else validator)
    schema = made.input_schema["properties"]["x"]
    plain = tool_with(form).input_schema["properties"]["x"]
    assert schema == {**plain, **keywords}
    fits = oracle(schema)
    for value in accepted:
        assert (refusal(made, {"x": value}), fits(value)) == (None, True), value
    for value in refused:
        assert refusal(made, {"x": value}) is not None, value
        assert not fits(value), value


PARTS: list[Any] = [
    (
        list[str],
        v.deep_iterable(v.min_len(1)),
        {"type": "array", "items": {"type": "string", "minLength": 1}},
        [[], ["a"]],
        [[""], ["a", 1]],
    ),
    (
        tuple[int, ...],
        v.deep_iterable(v.and_(v.ge(0), v.lt(5)), v.and_(v.min_len(1), v.instance_of(tuple))),
        {"type": "array", "items": {"type": "integer", "minimum": 0, "exclusiveMaximum": 5}, "minItems": 1},
        [[0, 4]],
        [[], [5], [-1]],
    ),
    (
        dict[str, int],
        v.deep_mapping(v.matches_re("[a-z]"), v.ge(0), v.max_len(1)),
        {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 0},
            "propertyNames": {"type": "string", "pattern": FULL("[a-z]")},
            "maxProperties": 1,
        },
        [{}, {"a": 0}],
        [{"A": 0}, {"a\n": 0}, {"a": -1}, {"a": 1, "b": 1}],
    ),
    (
        list[list[int]],
        v.and_(v.min_len(1), v.deep_iterable(v.deep_iterable(v.ge(0)))),
        {"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}, "minItems": 1},
        [[[]], [[0], [1]]],
        [[], [[-1]]],
    ),
    (
        int | None,
        v.optional([v.ge(1), v.le(3)]),
        {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 3}, {"type": "null"}]},
        [None, 1],
        [0, 4, True],
    ),
    (
        list[int] | None,
        v.optional(v.and_(v.max_len(1), v.deep_iterable(v.ge(1)))),
        {"anyOf": [{"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 1}, {"type": "null"}]},
        [None, [1]],
        [[0], [1, 1]],
    ),
    (
        int | str | None,
        v.optional(v.in_([1, "a"])),
        {"anyOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}], "enum": [1, "a"]}, {"type": "null"}]},
        [None, 1, "a"],
        [True, 1.0, "b", 2],
    ),
    (
        str | None,
        v.in_(["a", None]),
        {"anyOf": [{"type": "string"}, {"type": "null"}], "enum": ["a", None]},
        ["a", None],
        ["b", ""],
    ),
]


@pytest.mark.promise("TOOL-08")
@pytest.mark.parametrize("make", [in_annotated, in_field])
@pytest.mark.parametrize("row", PARTS)
def test_a_validator_reaches_into_parts(make: Callable[[Any, Any], Tool[Any]], row: Any) -> None:
    form, validator, schema, accepted, refused = row
    made = make(form, validator)
    assert made.input_schema["properties"]["x"] == schema
    fits = oracle(schema)
    for value in accepted:
        assert (refusal(made, {"x": value}), fits(value)) == (None, True), value
    for value in refused:
        assert refusal(made, {"x": value}) is not None, value
        assert not fits(value), value


def test_true_and_one_are_different_options() -> None:
    made = tool_with(Annotated[bool | int, v.in_([1, False])])
    fits = oracle(made.input_schema)
    given = [1, False, True, 0]
    assert [refusal(made, {"x": one}) is None for one in given] == [True, True, False, False]
    assert [fits({"x": one}) for one in given] == [True, True, False, False]


def test_an_unset_property_is_narrowed_when_it_is_there() -> None:
    made = tool_with(Annotated[int, v.ge(1)] | Unset, UNSET)
    assert made.validate({}).x is UNSET
    assert refusal(made, {"x": 0}) == "x: must be at least 1"


@pytest.mark.parametrize(
    ("form", "given", "words"),
    [
        (Annotated[int, v.le(20)], 21, "x: must be at most 20"),
        (Annotated[float, v.gt(0)], 0, "x: must be greater than 0"),
        (Annotated[float, v.lt(2.5)], 3, "x: must be less than 2.5"),
        (Annotated[str, v.min_len(1)], "", "x: must have at least 1 character"),
        (Annotated[list[JsonValue], v.max_len(2)], [1, 2, 3], "x: must have at most 2 items"),
        (Annotated[JsonObject, v.min_len(2)], {}, "x: must have at least 2 keys"),
        (Annotated[str, v.matches_re("[a-z]+")], "A", "x: must match the pattern '[a-z]+'"),
        (Annotated[str, v.in_(["a", ""])], "c", "x: must be one of 'a', ''"),
        (list[Annotated[int, v.ge(10**50)]], [1], "x[0]: must be at least an integer of 167 bits"),
        (Annotated[int, v.in_(range(100))], 100, "x: must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"),
    ],
)
def test_a_refusal_names_the_rule(form: Any, given: Any, words: str) -> None:
    assert refusal(tool_with(form), {"x": given}) == words


def test_the_attrs_class_of_plain_parameters_carries_no_validator() -> None:
    kind = type(tool_with(Annotated[int, v.ge(1)]).validate({"x": 1}))
    assert [field.validator for field in attrs.fields(kind)] == [None]


def test_one_set_gives_one_order_of_options() -> None:
    @tool
    def made(x: Annotated[str, v.in_(frozenset(["b", "a"]))]) -> None: ...

    assert made.input_schema["properties"]["x"]["enum"] == ["a", "b"]
