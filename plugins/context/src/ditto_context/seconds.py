"""Times, in seconds."""

from __future__ import annotations

from ditto_core import InvalidValue

MIN_SECONDS = 0.001
"""The shortest time that can be told to Redis."""
MAX_SECONDS = 2_147_483.647
"""The longest time that a store keeps a context, or waits."""


def check_ttl(value: float, field: str) -> float:
    """Return a time in seconds that is no shorter and no longer than these; raises :class:`InvalidValue`."""
    if type(value) not in (int, float) or not MIN_SECONDS <= value <= MAX_SECONDS:
        raise InvalidValue(field, f"must be a number of seconds from {MIN_SECONDS} to {MAX_SECONDS:,}")
    return value
