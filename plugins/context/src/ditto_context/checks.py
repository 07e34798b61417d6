"""The shape checks of the contract constructors: exact types, no coercion; JSON is looked into at the entrance."""

from __future__ import annotations

from typing import Any

from ditto_core import InvalidValue, describe

MAX_NAME = 512
"""How many characters an id, a part of a scope or the name of a node may have."""


def check_name(value: object, field: str) -> None:
    """Refuse anything but a string of 1 to :data:`MAX_NAME` characters."""
    if type(value) is not str:
        raise InvalidValue(field, f"must be a string, not {describe(value)}")
    if not value:
        raise InvalidValue(field, "must not be empty")
    if len(value) > MAX_NAME:
        raise InvalidValue(field, f"has more than {MAX_NAME} characters; use a shorter one, or its digest")


def check_kind(value: object, kind: type[Any], field: str) -> None:
    """Refuse anything but an instance of exactly `kind`."""
    if type(value) is not kind:
        raise InvalidValue(field, f"must be of class {kind.__name__}, not {describe(value)}")


def check_tuple(value: object, kinds: tuple[type[Any], ...], field: str) -> None:
    """Refuse anything but a tuple whose items all are of exactly one of `kinds`."""
    names = " or ".join(kind.__name__ for kind in kinds)
    if type(value) is not tuple:
        raise InvalidValue(field, f"must be a tuple of {names}, not {describe(value)}")
    for index, item in enumerate(value):
        if type(item) not in kinds:
            raise InvalidValue(f"{field}[{index}]", f"must be a {names}, not {describe(item)}")


def check_object(value: object, field: str) -> None:
    """Refuse anything but a dict."""
    if type(value) is not dict:
        raise InvalidValue(field, f"must be a JSON object (a dict), not {describe(value)}")


def check_whole(value: int, field: str) -> int:
    """Return a positive integer; refuse anything else."""
    if type(value) is not int or value < 1:
        raise InvalidValue(field, "must be a positive integer")
    return value
