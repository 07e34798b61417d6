"""What a tool made by `@tool` answers: content, structured content or an outcome, by what its function returns."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs import validators

from ditto_core import (
    UNSET,
    InteractionError,
    InvalidResult,
    InvalidValue,
    JsonObject,
    JsonValue,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolOutcome,
    ToolRegistry,
    Unset,
    tool,
)
from tests.support import run
from tests.support.arguments import oracle
from tests.support.made import tool_returning


class Color(enum.Enum):
    RED = "red"
    ONE = 1


@attrs.frozen
class Row:
    line_count: int
    color: Color = attrs.field(default=Color.RED, alias="theColor", metadata={"description": "how it looks"})
    note: str | Unset = UNSET
    _hidden: int | None = attrs.field(default=None, validator=validators.instance_of(int | None))
    size: int = attrs.field(init=False, default=3)


@attrs.frozen
class OtherRow(Row):
    more: int = 0


ROW_SCHEMA = {
    "type": "object",
    "properties": {
        "line_count": {"type": "integer"},
        "theColor": {"type": ["string", "integer"], "enum": ["red", 1], "description": "how it looks"},
        "note": {"type": "string"},
        "hidden": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "size": {"type": "integer"},
    },
    "required": ["line_count", "theColor", "hidden", "size"],
    "additionalProperties": False,
}


def answer(form: Any, value: Any) -> ToolOutcome:
    made = tool_returning(form, value)
    outcome = made.execute(made.validate({}), ToolContext())
    assert type(outcome) is ToolOutcome
    return outcome


@pytest.mark.parametrize(
    ("form", "schema", "value", "written"),
    [
        (None, {"type": "null"}, None, None),
        (int, {"type": "integer"}, 5, 5),
        (float, {"type": "number"}, 5, 5),
        (bool, {"type": "boolean"}, False, False),
        (list[int], {"type": "array", "items": {"type": "integer"}}, [1], [1]),
        (
            tuple[Color, ...],
            {"type": "array", "items": {"type": ["string", "integer"], "enum": ["red", 1]}},
            (Color.ONE,),
            [1],
        ),
        (dict[str, None], {"type": "object", "additionalProperties": {"type": "null"}}, {"a": None}, {"a": None}),
        (JsonObject, {"type": "object"}, {"a": [1]}, {"a": [1]}),
        (
            Annotated[int, validators.ge(1), "how many"],
            {"type": "integer", "minimum": 1, "description": "how many"},
            1,
            1,
        ),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}, None, None),
        (Literal[1, True], {"type": ["integer", "boolean"], "enum": [1, True]}, True, True),
        (Row, ROW_SCHEMA, Row(line_count=1), {"line_count": 1, "theColor": "red", "hidden": None, "size": 3}),
        (
            Row,
            ROW_SCHEMA,
            Row(line_count=1, theColor=Color.ONE, note="n", hidden=2),
            {"line_count": 1, "theColor": 1, "note": "n", "hidden": 2, "size": 3},
        ),
    ],
)
@pytest.mark.promise("D-TOOL-11")
def test_json_and_classes_become_structured_content_that_fits_the_schema(
    form: Any, schema: Any, value: Any, written: Any
) -> None:
    assert tool_returning(form, value).output_schema == schema
    outcome = answer(form, value)
    assert outcome == ToolOutcome(structured_content=written)
    assert type(outcome.structured_content) is type(written)
    assert oracle(schema)(outcome.structured_content)


@pytest.mark.parametrize(
    "form", [str, Annotated[str, validators.min_len(1)], Literal["a"], str | None, JsonValue, str | int]
)
@pytest.mark.promise("D-TOOL-11")
def test_a_string_becomes_content_and_there_is_no_schema(form: Any) -> None:
    assert tool_returning(form, "a").output_schema is UNSET
    assert answer(form, "a") == ToolOutcome(content="a")


def test_what_is_no_string_beside_one_becomes_structured_content() -> None:
    assert answer(str | None, None) == ToolOutcome(structured_content=None)
    assert answer(JsonValue, ["a"]) == ToolOutcome(structured_content=["a"])


@pytest.mark.promise("D-TOOL-11")
def test_an_outcome_is_itself() -> None:
    outcome = ToolOutcome(status="failed", error=InteractionError(code="X", message="no"))
    assert tool_returning(ToolOutcome, outcome).output_schema is UNSET
    assert answer(ToolOutcome, outcome) is outcome


def test_an_outcome_may_stand_beside_another_type() -> None:
    outcome = ToolOutcome(content="x")
    form = Row | ToolOutcome
    assert tool_returning(form, outcome).output_schema == ROW_SCHEMA
    assert answer(form, outcome) is outcome
    assert answer(form, Row(line_count=1)).structured_content == {
        "line_count": 1,
        "theColor": "red",
        "hidden": None,
        "size": 3,
    }


@pytest.mark.case("TOOL-09")
@pytest.mark.parametrize(
    ("form", "value", "words"),
    [
        (str, None, "return: must be a string, not null"),
        (None, "text", "return: must be null, not a string"),
        (int, True, "return: must be an integer, not a boolean"),
        (int, 1.0, "return: must be an integer, not a decimal number"),
        (list[int], (1,), "return: must be a list, not a tuple"),
        (tuple[int, ...], [1], "return: must be a tuple, not an array"),
        (list[int], [1, "2"], "return[1]: must be an integer, not a string"),
        (dict[str, int], {1: 1}, "return: has the key an int, which must be a string, not an integer"),
        (dict[str, int], {"a": None}, "return.a: must be an integer, not null"),
        (dict[str, int], [], "return: must be a dict, not an array"),
        (Color, "red", "return: must be one of 'red', 1"),
        (Literal["a"], "b", "return: must be 'a'"),
        (Row, {"line_count": 1}, "return: must be of the class Row, not an object"),
        (Row, OtherRow(line_count=1), "return: must be of the class Row, not an OtherRow"),
        (Row, Row(line_count="1"), "return.line_count: must be an integer, not a string"),
        (Row | None, 5, "return: must be an object or null, not an integer"),
        (int | str, None, "return: must be an integer or a string, not null"),
        (Annotated[int, validators.ge(1)], 0, "return: must be at least 1"),
        (ToolOutcome, "text", "return: must be a ToolOutcome, not a string"),
        (str | ToolOutcome, 5, "return: must be a string, not an integer"),
        (str, ToolOutcome(content="x"), "return: must be a string, not a ToolOutcome"),
    ],
)
def test_what_does_not_fit_the_annotation_is_no_result(form: Any, value: Any, words: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        answer(form, value)
    assert str(caught.value) == words


@pytest.mark.case("JSON-01", "TOOL-09")
@pytest.mark.parametrize(
    ("form", "value"), [(float, float("nan")), (JsonValue, {"a": float("inf")}), (JsonObject, {"a": ()})]
)
def test_what_is_no_json_is_refused_by_the_registry(form: Any, value: Any) -> None:
    registry = ToolRegistry()
    registry.register(tool_returning(form, value))
    call = ToolCall(id="c1", name="made", arguments={})
    with pytest.raises(InvalidResult, match="structuredContent"):
        run(registry.call(call, ToolContext(sandbox=Sandbox(tools=["made"]))))


def test_a_failure_raised_by_the_function_passes() -> None:
    @tool
    async def made() -> int:
        raise ToolFailed("NOT_FOUND", "no such thing")

    with pytest.raises(ToolFailed):
        run(made.execute(made.validate({}), ToolContext()))
