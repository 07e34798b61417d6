"""Checks that no schema can tell: they need `narrower="why"` and are then run."""

from __future__ import annotations

from typing import Annotated, Any

import attrs
import pytest
from attrs import validators

from ditto_core import (
    UNSET,
    InvalidTool,
    Unset,
    tool,
)
from tests.support.made import refusal, tool_with


def even(instance: object, attribute: object, value: int) -> None:
    if value % 2:
        raise ValueError("must be even")


def secretive(instance: object, attribute: object, value: object) -> None:
    raise ValueError("bad value", value)


@attrs.frozen
class Span:
    start: int
    end: int = attrs.field(default=0, validator=[validators.ge(0), validators.optional(even)])

    def __attrs_post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError("end must not be before start")


def test_narrower_lets_the_checks_of_a_class_run() -> None:
    @tool(narrower="the end is even and after the start")
    async def made(span: Span) -> None: ...

    assert made.input_schema["$comment"] == "Narrower than this schema: the end is even and after the start"
    assert made.input_schema["properties"]["end"] == {"type": "integer", "minimum": 0, "default": 0}
    assert made.validate({"start": 1, "end": 2}) == Span(start=1, end=2)
    assert refusal(made, {"start": 1, "end": 3}) == "arguments: must be even"
    assert refusal(made, {"start": 3, "end": 2}) == "arguments: end must not be before start"
    assert refusal(made, {"start": 3, "end": -2}) == "end: must be at least 0"


def test_narrower_lets_a_validator_of_a_parameter_run() -> None:
    @tool(narrower="even")
    def made(x: Annotated[int, validators.ge(0), even, "an even one"], y: int | Unset = UNSET) -> None: ...

    assert made.input_schema["properties"]["x"] == {"type": "integer", "minimum": 0, "description": "an even one"}
    assert refusal(made, {"x": 2}) is None
    assert refusal(made, {"x": 3}) == "arguments: must be even"
    assert refusal(made, {"x": -2}) == "x: must be at least 0"


def test_an_exception_that_holds_more_than_its_text_is_not_quoted() -> None:
    made = tool_with(Annotated[str, secretive], narrower="never")
    assert refusal(made, {"x": "hunter2"}) == "arguments: is refused by MadeArguments"
    with pytest.raises(ValueError, match="refused") as caught:
        made.validate({"x": "hunter2"})
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("reason", ["", "  ", 5, True])
def test_narrower_needs_words(reason: Any) -> None:
    with pytest.raises(InvalidTool, match="narrower must say in words"):
        tool_with(Annotated[int, even], narrower=reason)


def test_narrower_without_need_is_refused() -> None:
    with pytest.raises(InvalidTool, match="is no narrower than its schema"):
        tool_with(int, narrower="why")
