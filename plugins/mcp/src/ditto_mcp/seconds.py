"""Durations that an application chooses."""

from __future__ import annotations

from typing import Final

from ditto_core import InvalidValue

MAX_SECONDS: Final = 2_147_483.647
"""The longest wait that may be asked for, in seconds: 2^31 - 1 milliseconds."""


def seconds(value: float, name: str) -> float:
    """Return a wait; raises :class:`InvalidValue` for what is no number of seconds above 0."""
    if type(value) not in (int, float) or not 0 < value <= MAX_SECONDS:
        raise InvalidValue(name, f"must be a number of seconds above 0, {MAX_SECONDS:,} at the most")
    return float(value)
