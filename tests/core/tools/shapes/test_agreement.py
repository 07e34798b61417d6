"""The schema and the check of a tool made by `@tool` are one rule: a JSON Schema validator and `validate` agree."""

from __future__ import annotations

import copy
from itertools import chain, islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ditto_core import (
    InvalidValue,
    Tool,
    ToolContext,
    ToolOutcome,
    tool,
)
from tests.support import run
from tests.support.arguments import argument_classes, oracle
from tests.support.near_schema import fitting, neighbours

MOST = 500
"""How many neighbours of a value are tried at the most."""


def echo(kind: type[Any]) -> Tool[Any]:
    """Make a tool that returns its arguments."""

    async def made(arguments: Any) -> Any:
        return arguments

    made.__annotations__ = {"arguments": kind, "return": kind}
    return tool(made)


def refusal(one: Tool[Any], value: Any) -> InvalidValue | None:
    """Return why the tool refuses the value; anything but a refusal is raised."""
    try:
        one.validate(copy.deepcopy(value))
    except InvalidValue as error:
        return error
    return None


@pytest.mark.promise("TOOL-08", "D-TOOL-12")
@pytest.mark.case("TOOL-05")
def test_validate_and_schema_agree_on_a_value_and_all_its_neighbours() -> None:
    seen = {True: 0, False: 0}

    @given(st.data())
    def agree(data: st.DataObject) -> None:
        one = echo(data.draw(argument_classes))
        fits = oracle(one.input_schema)
        middle = data.draw(fitting(one.input_schema))
        for value in islice(chain([middle], neighbours(middle)), MOST):
            error = refusal(one, value)
            assert (error is None) == fits(value), (one.input_schema, value, error)
            seen[error is None] += 1
            if error is not None:
                assert len(str(error)) < 2000
                assert str(error).isprintable()

    agree()
    enough = 2 * settings().max_examples
    assert min(seen.values()) > enough, "values should be near enough to be accepted as well as refused"


@pytest.mark.promise("TOOL-08")
@given(st.data())
def test_what_is_returned_fits_the_output_schema_and_is_read_back_equal(data: st.DataObject) -> None:
    one = echo(data.draw(argument_classes))
    value = data.draw(fitting(one.input_schema))
    if refusal(one, value) is not None:
        return
    arguments = one.validate(copy.deepcopy(value))
    outcome: ToolOutcome = run(one.execute(arguments, ToolContext()))
    assert oracle(one.output_schema)(outcome.structured_content)
    assert one.validate(copy.deepcopy(outcome.structured_content)) == arguments
