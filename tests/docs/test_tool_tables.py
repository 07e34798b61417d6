"""The tables of types and validators: each row is tried on a tool, and they name all that there is."""

from __future__ import annotations

import enum
import json
import re
from datetime import datetime
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs import validators

from ditto_core import UNSET, InvalidTool, JsonObject, JsonValue, Unset, tool
from ditto_core.tools.shapes.scalars import SCALARS
from tests.docs.pages import page, rows, section, span, spans

PAGE = page("tools.md")
TYPES = rows(PAGE, "type", "schema")
VALIDATORS = rows(PAGE, "validator", "schema")
REFUSED = rows(PAGE, "refused", "why")
NO_VALIDATORS = {"disabled", "get_disabled", "set_disabled"}


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


@attrs.frozen(kw_only=True)
class Point:
    x: int
    y: int = 0
    label: str | Unset = UNSET


@attrs.frozen(kw_only=True)
class Node:
    below: list[Node]


KNOWN: dict[str, Any] = {
    **{name: getattr(validators, name) for name in dir(validators) if not name.startswith("__")},
    **{known.__name__: known for known in (Color, Point, Node, datetime)},
    "Annotated": Annotated,
    "Any": Any,
    "JsonObject": JsonObject,
    "JsonValue": JsonValue,
    "Literal": Literal,
}


def schema(form: str) -> Any:
    """Give the schema of a tool's property of that type."""

    def function(value: Any, other: int = 0) -> None:
        """Be a tool with two parameters: a class that stood alone would hold all arguments."""

    function.__annotations__["value"] = eval(form, KNOWN)
    function.__annotations__.update(other=int, **{"return": None})
    properties: Any = tool(function).input_schema["properties"]
    return properties["value"]


@pytest.mark.promise("D-QUAL-07", "D-TOOL-08")
@pytest.mark.parametrize(("form", "told"), TYPES + VALIDATORS, ids=[span(form) for form, _ in TYPES + VALIDATORS])
def test_the_schema_of_a_row_is_the_one_that_tool_makes(form: str, told: str) -> None:
    assert schema(span(form)) == json.loads(span(told))


@pytest.mark.promise("D-QUAL-07", "D-TOOL-08")
@pytest.mark.parametrize("form", [span(form) for form, _ in REFUSED])
def test_what_a_row_says_is_refused_is_refused(form: str) -> None:
    with pytest.raises(InvalidTool):
        schema(form)


def test_every_scalar_type_has_a_row() -> None:
    assert {"None" if kind is type(None) else kind.__name__ for kind in SCALARS} <= {span(form) for form, _ in TYPES}


@pytest.mark.promise("D-QUAL-07", "D-TOOL-09")
def test_every_validator_of_attrs_is_said_to_be_taken_or_refused() -> None:
    of_attrs = {name for name, value in vars(validators).items() if callable(value) and not name.startswith("_")}
    taken = {name for form, _ in VALIDATORS for name in of_attrs if f"{name}(" in span(form)}
    others = re.search(r"The other validators of attrs \((.*?)\)", section(PAGE, "### Validators"))
    assert others
    refused = set(spans(others[1]))
    assert taken | refused == of_attrs - NO_VALIDATORS
    assert taken & refused == set()


@pytest.mark.promise("D-TOOL-09")
@pytest.mark.parametrize("form", ["is_callable()", "not_(ge(1))", "or_(ge(1), le(0))"])
def test_the_other_validators_of_attrs_are_refused(form: str) -> None:
    with pytest.raises(InvalidTool):
        schema(f"Annotated[int, {form}]")
