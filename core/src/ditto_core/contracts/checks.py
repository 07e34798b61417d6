"""The shape checks that the contract constructors share: exact types, no coercion, no walk into JSON."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidValue
from ..text import describe
from .json_values import has_lone_surrogate
from .unset import UNSET


def check_text(value: object, field: str) -> None:
    """Refuse anything but a string that UTF-8 can write."""
    if type(value) is not str:
        raise InvalidValue(field, f"must be a string, not {describe(value)}")
    if not value.isascii() and has_lone_surrogate(value):
        raise InvalidValue(field, "holds a lone surrogate, which UTF-8 cannot write; replace it with U+FFFD")


def check_name(value: object, field: str) -> None:
    """Refuse anything but a nonempty string that UTF-8 can write."""
    if type(value) is not str or not value or not value.isascii():  # the short way for what names mostly are
        check_text(value, field)
        if not value:
            raise InvalidValue(field, "must not be empty")


def check_optional_text(value: object, field: str) -> None:
    """Like :func:`check_text`, and absent is fine."""
    if value is not UNSET:
        check_text(value, field)


def check_exact(value: object, kind: type[Any], field: str) -> None:
    """Refuse anything but an instance of exactly `kind`."""
    if type(value) is not kind:
        raise wrong_class(value, kind, field)


def wrong_class(value: object, kind: type[Any], field: str) -> InvalidValue:
    """Return the error for something that is no instance of exactly `kind`."""
    return InvalidValue(field, f"must be of class {kind.__name__}, not {describe(value)}")


def check_tuple(value: object, kind: type[Any], field: str) -> None:
    """Refuse anything but a tuple whose items all are of exactly `kind`."""
    if type(value) is not tuple:
        raise InvalidValue(field, f"must be a tuple of {kind.__name__}, not {describe(value)}")
    for index, item in enumerate(value):
        if type(item) is not kind:
            raise wrong_class(item, kind, f"{field}[{index}]")


def check_object(value: object, field: str) -> None:
    """Refuse anything but a dict; what is in it is the entrance's business."""
    if type(value) is not dict:
        remedy = "; parse it with json.loads" if type(value) is str else ""  # so several models' APIs hand it over
        raise InvalidValue(field, f"must be a JSON object (a dict), not {describe(value)}{remedy}")
