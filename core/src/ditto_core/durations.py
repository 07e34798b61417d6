"""Durations in seconds, as callers give them."""

from __future__ import annotations

import sys


def is_seconds(value: object) -> bool:
    """Tell whether a value is a number of seconds from 0 up that a clock can add: no bool, no NaN, no huge integer."""
    return type(value) in (int, float) and 0 <= value <= sys.float_info.max  # type: ignore[operator]
