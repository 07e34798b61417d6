"""Durations: seconds in Python, whole milliseconds under a name that ends in ``Ms`` in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import InvalidValue

MAX_MILLISECONDS: Final = 2_147_483_647
"""The longest duration that a file can give, unless its field says less: 2^31 - 1 milliseconds."""

_KEY: Final = "ditto_duration"


def duration(least_ms: int = 1, most_ms: int = MAX_MILLISECONDS) -> dict[str, Any]:
    """Return the metadata that marks a field of an attrs class as a duration in seconds.

    A file gives it in whole milliseconds from ``least_ms`` to ``most_ms``, under the field's name and ``Ms``:
    ``timeout: float = attrs.field(default=30.0, metadata=duration())`` is read from ``timeoutMs``. What code gives is
    for the class itself to check. Raises :class:`InvalidValue` for bounds that are no integers from 0 up.
    """
    if type(least_ms) is not int or type(most_ms) is not int or not 0 <= least_ms <= most_ms:
        raise InvalidValue("duration", "must have whole milliseconds from 0 up as bounds, the lower one first")
    return {_KEY: (least_ms, most_ms)}


def bounds_of(metadata: Mapping[Any, Any]) -> tuple[int, int] | None:
    """Return the bounds in milliseconds that :func:`duration` has left in the metadata, if any."""
    return metadata.get(_KEY)


def in_seconds(milliseconds: int) -> float:
    """Return the duration as Python names it."""
    return milliseconds / 1000
