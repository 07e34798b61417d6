"""What counts as a number of seconds."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core.durations import is_seconds


@given(st.floats(0, sys.float_info.max) | st.integers(0, 10**308))
def test_every_number_that_a_clock_can_add_is_seconds(seconds: float) -> None:
    assert is_seconds(seconds)
    assert 1.0 + seconds >= 1.0


@pytest.mark.parametrize("value", [-1, -0.5, float("nan"), float("inf"), 10**400, True, None, "5", [1]], ids=range(9))
def test_nothing_else_is(value: Any) -> None:
    assert not is_seconds(value)
