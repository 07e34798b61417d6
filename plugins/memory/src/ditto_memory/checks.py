"""The shape checks of the contract constructors: exact types, no coercion; JSON is looked into at the entrance."""

from __future__ import annotations

from typing import Any

from ditto_core import InvalidValue, describe, escape

MAX_NAME = 512
"""How many characters an id or a key may have."""
MAX_BATCH = 1_000
"""How many memories may be written, or ids and keys asked for, at once."""


def check_name(value: object, field: str) -> None:
    """Refuse anything but a string of 1 to :data:`MAX_NAME` characters without controls."""
    if type(value) is not str:
        raise InvalidValue(field, f"must be a string, not {describe(value)}")
    if not 1 <= len(value) <= MAX_NAME:
        raise InvalidValue(field, f"must have 1 to {MAX_NAME} characters, not {len(value):,}")
    if escape(value) != value:
        raise InvalidValue(field, "must hold no control character and no lone surrogate")


def check_object(value: object, field: str) -> None:
    """Refuse anything but a dict."""
    if type(value) is not dict:
        raise InvalidValue(field, f"must be a JSON object (a dict), not {describe(value)}")


def check_tuple(value: object, kind: type[Any], field: str) -> None:
    """Refuse anything but a tuple of at most :data:`MAX_BATCH` items that all are of exactly `kind`."""
    if type(value) is not tuple:
        raise InvalidValue(field, f"must be a tuple of {kind.__name__}, not {describe(value)}")
    if len(value) > MAX_BATCH:
        raise InvalidValue(field, f"has {len(value):,} items, and may have {MAX_BATCH:,}; make several calls")
    for index, item in enumerate(value):
        if type(item) is not kind:
            raise InvalidValue(f"{field}[{index}]", f"must be a {kind.__name__}, not {describe(item)}")
