"""The arguments of a call, before they are sent.

The SDK turns what is no JSON into something else in silence, and one lone surrogate ends a whole connection.
"""

from __future__ import annotations

from math import isfinite
from typing import Final

from .text import is_writable

MAX_DEPTH: Final = 128
"""How many containers of a call's arguments may be inside each other."""


def is_plain_json(value: object, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a value is JSON that reaches a server as it is."""
    kind = type(value)
    if kind is str:
        return is_writable(value)  # type: ignore[arg-type]
    if kind is float:
        return isfinite(value)  # type: ignore[arg-type]
    if kind is dict:
        return depth > 0 and all(
            type(key) is str and is_writable(key) and is_plain_json(item, depth - 1)
            for key, item in value.items()  # type: ignore[attr-defined]
        )
    if kind is list:
        return depth > 0 and all(is_plain_json(item, depth - 1) for item in value)  # type: ignore[attr-defined]
    return value is None or kind is bool or kind is int
