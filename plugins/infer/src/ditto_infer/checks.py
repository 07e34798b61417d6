"""The shape checks that the contracts share: exact types, no coercion."""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite
from typing import Any

from ditto_core import UNSET, InvalidValue, describe, quote


def text(value: object, field: str, *, empty: bool = False) -> None:
    """Refuse anything but a string, and an empty one unless it may be."""
    if type(value) is not str:
        raise InvalidValue(field, f"must be a string, not {describe(value)}")
    if not value and not empty:
        raise InvalidValue(field, "must not be empty")


def optional_text(value: object, field: str) -> None:
    """Like :func:`text`, and absent is fine."""
    if value is not UNSET:
        text(value, field)


def json_object(value: object, field: str) -> None:
    """Refuse anything but a dict; what is in it is looked at where it enters."""
    if type(value) is not dict:
        raise InvalidValue(field, f"must be a JSON object (a dict), not {describe(value)}")


def optional_object(value: object, field: str) -> None:
    """Like :func:`json_object`, and absent is fine."""
    if value is not UNSET:
        json_object(value, field)


def instance(value: object, kinds: type[Any] | tuple[type[Any], ...], field: str) -> None:
    """Refuse anything but an object of exactly one of the classes."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if type(value) not in wanted:
        names = " or ".join(kind.__name__ for kind in wanted)
        raise InvalidValue(field, f"must be of class {names}, not {describe(value)}")


def several(value: object, kind: type[Any], field: str) -> None:
    """Refuse anything but a tuple of objects of exactly that class."""
    if type(value) is not tuple:
        raise InvalidValue(field, f"must be a tuple of {kind.__name__}, not {describe(value)}")
    for index, item in enumerate(value):
        instance(item, kind, f"{field}[{index}]")


def one_of(value: object, words: Collection[str], field: str) -> None:
    """Refuse anything but one of the words."""
    if type(value) is not str or value not in words:
        raise InvalidValue(field, f"must be one of {', '.join(words)}, not {quote(value)}")


def count(value: object, field: str, *, least: int = 0) -> None:
    """Refuse anything but an integer of at least `least`; absent is fine."""
    if value is not UNSET and (type(value) is not int or value < least):
        raise InvalidValue(field, f"must be an integer of at least {least}, not {_shown(value)}")


def number(value: object, field: str, most: int) -> None:
    """Refuse anything but a finite number from 0 to `most`; absent is fine."""
    if value is UNSET:
        return
    if (type(value) is not int and type(value) is not float) or not isfinite(value) or not 0 <= value <= most:
        raise InvalidValue(field, f"must be a number from 0 to {most}, not {_shown(value)}")


def _shown(value: object) -> str:
    return str(value) if type(value) in (float, bool) else describe(value)
