"""The schema and the check of a tool made by `@tool` are one rule: a JSON Schema validator and `validate` agree."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import Tool, ToolContext, ToolOutcome
from ditto_core.tools.decorator import tool
from tests.support import run
from tests.support.arguments import argument_classes, fits
from tests.support.near_schema import fitting, near


def echo(kind: type[Any]) -> Tool[Any]:
    """Make a tool that returns its arguments."""

    async def made(arguments: Any) -> Any:
        return arguments

    made.__annotations__ = {"arguments": kind, "return": kind}
    return tool(made)


def accepts(one: Tool[Any], value: Any) -> bool:
    try:
        one.validate(copy.deepcopy(value))
    except ValueError:
        return False
    return True


@pytest.mark.promise("TOOL-08")
@pytest.mark.case("TOOL-05")
def test_validate_and_schema_agree_on_values_near_the_schema() -> None:
    seen = {True: 0, False: 0}

    @given(st.data())
    def agree(data: st.DataObject) -> None:
        one = echo(data.draw(argument_classes))
        for value in data.draw(st.lists(near(one.input_schema), min_size=1, max_size=5)):
            answer = accepts(one, value)
            assert answer == fits(one.input_schema, value), (one.input_schema, value)
            seen[answer] += 1

    agree()
    assert min(seen.values()) > 10, "the values should be near enough to be accepted and refused"


@pytest.mark.promise("TOOL-08")
@given(st.data())
def test_validate_never_raises_anything_but_a_short_refusal(data: st.DataObject) -> None:
    one = echo(data.draw(argument_classes))
    value = data.draw(near(one.input_schema))
    try:
        one.validate(value)
    except ValueError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 2000


@pytest.mark.promise("TOOL-08")
@given(st.data())
def test_what_is_returned_fits_the_output_schema_and_is_read_back_equal(data: st.DataObject) -> None:
    one = echo(data.draw(argument_classes))
    value = data.draw(fitting(one.input_schema))
    if not accepts(one, value):
        return
    arguments = one.validate(copy.deepcopy(value))
    outcome: ToolOutcome = run(one.execute(arguments, ToolContext()))  # type: ignore[arg-type]
    assert fits(one.output_schema, outcome.structured_content)
    assert one.validate(copy.deepcopy(outcome.structured_content)) == arguments  # type: ignore[arg-type]
