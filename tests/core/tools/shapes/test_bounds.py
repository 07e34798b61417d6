"""Bounds of numbers beyond what a float can hold."""

from __future__ import annotations

from typing import Annotated

import pytest
from attrs import validators as v

from ditto_core import InvalidValue, tool

HUGE = 10**400


def test_a_bound_may_be_an_integer_that_no_float_can_hold() -> None:
    @tool
    async def count(number: Annotated[int, v.ge(HUGE)]) -> int:
        """Count."""
        return number

    assert count.validate({"number": HUGE}).number == HUGE
    with pytest.raises(InvalidValue, match="number: must be at least an integer of 1329 bits"):
        count.validate({"number": HUGE - 1})
