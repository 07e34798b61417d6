"""What JSON is here, and the one deep walk that decides it.

JSON is exactly ``dict`` with ``str`` keys, ``list``, ``str``, ``int``, finite ``float``, ``bool`` and ``None``.
Subclasses and look-alikes (tuples, enums, mappings, dates, numpy scalars) are refused rather than converted, and
so are lone surrogates, which no encoder can write. The bounds below end cycles and keep a hostile value from
taking the process down.

One fast walk decides; only when it refuses does a slow one find the path and the reason.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ..errors import InvalidValue
from ..text import describe, quote

if TYPE_CHECKING:
    JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"
    JsonObject: TypeAlias = "dict[str, JsonValue]"
else:
    # What reads annotations (the converter, `@tool`) recognises these two as they are; a recursive union it could not.
    JsonValue = Annotated[object, "any JSON value"]
    JsonObject = Annotated[dict, "a JSON object"]

MAX_DEPTH = 128
"""How many containers may be nested."""
MAX_VALUES = 1_000_000
"""How many values there may be, counted as they would be written: a list reached twice counts twice."""
MAX_INTEGER = 10**4300 - 1
"""The largest magnitude of an integer: 4300 digits, which Python itself still turns into text and back."""

_MIN_INTEGER = -MAX_INTEGER  # made once: negating it copies all of its digits

_CONSTANTS = frozenset({bool, type(None)})


class _Refused(Exception):
    """The fast walk met something that is not JSON."""


class _TooMany(Exception):
    """The fast walk counted more than MAX_VALUES values."""


def check_json(value: object, path: str = "", *, max_depth: int = MAX_DEPTH) -> int:
    """Return how many values `value` holds, or raise :class:`InvalidValue` with the path of the first that is no JSON.

    One that holds nothing counts itself.
    """
    kind = type(value)
    try:
        if kind is dict or kind is list:
            return _walk(value, max_depth)  # type: ignore[arg-type]
        return _walk([value], max_depth)
    except _TooMany:
        raise InvalidValue(path, f"holds more than {MAX_VALUES:,} values; return less, or a reference to it") from None
    except _Refused:
        _explain(value, path, max_depth)
        raise InvalidValue(path, "was changed while it was checked; give each call a value of its own") from None


def check_json_object(value: object, path: str = "") -> None:
    """Raise :class:`InvalidValue` unless `value` is a JSON object."""
    if type(value) is not dict:
        raise InvalidValue(path, f"must be a JSON object (a dict), not {describe(value)}")
    check_json(value, path)


def enter_object(value: JsonObject, path: str = "") -> JsonObject:
    """Check an object as :func:`check_json` does and return a private copy of it."""
    # As many values as keys: there is nothing below them to be copied.
    return value.copy() if check_json(value, path) == len(value) else copy_json_object(value)


def copy_json(value: JsonValue) -> JsonValue:
    """Return a private copy of a value that :func:`check_json` accepted."""
    if type(value) is dict:
        return copy_json_object(value)
    if type(value) is list:
        return [copy_json(item) if type(item) is dict or type(item) is list else item for item in value]
    return value


def copy_json_object(value: JsonObject) -> JsonObject:
    """Return a private copy of an object that :func:`check_json` accepted."""
    copied = value.copy()
    for key, item in copied.items():
        if type(item) is dict or type(item) is list:
            copied[key] = copy_json(item)
    return copied


def has_lone_surrogate(text: str) -> bool:
    """Tell whether `text` holds a code point that UTF-8 cannot write."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _walk(container: dict[object, object] | list[object], depth: int) -> int:  # noqa: C901 - one loop, for speed
    """Return how many values `container` holds, itself not counted; raise when one of them is not JSON.

    `depth` is how many containers may still be nested, this one counted.

    Scalars are settled in their parent, so that there is one call per container and not one per value.
    """
    if not depth:
        raise _Refused
    count = len(container)
    if count > MAX_VALUES:
        raise _TooMany
    items: object = container
    if type(container) is dict:
        for key in container:
            if type(key) is not str or not (key.isascii() or not has_lone_surrogate(key)):
                raise _Refused
        items = container.values()
    for item in items:  # type: ignore[attr-defined]
        kind = type(item)
        if kind is str:
            if not item.isascii() and has_lone_surrogate(item):
                raise _Refused
        elif kind is dict or kind is list:
            count += _walk(item, depth - 1)
            if count > MAX_VALUES:
                raise _TooMany
        elif kind is int:
            if not _MIN_INTEGER <= item <= MAX_INTEGER:
                raise _Refused
        elif kind is float:
            if not isfinite(item):
                raise _Refused
        elif kind not in _CONSTANTS:
            raise _Refused
    return count


def _explain(value: object, path: str, max_depth: int) -> None:
    """Find what the fast walk refused and say it; walks with a stack of its own, so no depth can hurt it."""
    pending: list[tuple[object, str, tuple[int, ...]]] = [(value, path, ())]
    while pending:
        item, where, above = pending.pop()
        kind = type(item)
        if kind is not dict and kind is not list:
            _explain_scalar(item, where)
            continue
        if id(item) in above:
            raise InvalidValue(where, "contains itself; JSON has no cycles")
        if len(above) == max_depth:
            raise InvalidValue(where, f"is nested more than {max_depth} deep; flatten it")
        inside = (*above, id(item))
        if kind is dict:
            rows = [(child, _member(where, key), inside) for key, child in item.items()]  # type: ignore[attr-defined]
        else:
            rows = [(child, f"{where}[{index}]", inside) for index, child in enumerate(item)]  # type: ignore[arg-type, var-annotated]
        pending.extend(reversed(rows))


def _member(where: str, key: object) -> str:
    if type(key) is not str:
        raise InvalidValue(where, f"has a key that is {describe(key)}; JSON keys are strings")
    if has_lone_surrogate(key):
        raise InvalidValue(where, "has a key with a lone surrogate, which UTF-8 cannot write")
    name = key if key.isidentifier() and len(key) <= 40 else f"[{quote(key)}]"
    return f"{where}.{name}" if where and not name.startswith("[") else f"{where}{name}"


def _explain_scalar(item: object, where: str) -> None:
    kind = type(item)
    if kind is str:
        if has_lone_surrogate(item):  # type: ignore[arg-type]
            raise InvalidValue(where, "holds a lone surrogate, which UTF-8 cannot write; replace it with U+FFFD")
    elif kind is float:
        if not isfinite(item):  # type: ignore[arg-type]
            raise InvalidValue(where, "is NaN or infinite, which JSON cannot write; use null or a string")
    elif kind is int:
        if not _MIN_INTEGER <= item <= MAX_INTEGER:  # type: ignore[operator]
            raise InvalidValue(where, "is an integer of more than 4300 digits; write it as a string")
    elif kind not in _CONSTANTS:
        raise InvalidValue(where, f"is {describe(item)}, which is not JSON; convert it first ({_remedy(item)})")


def _remedy(item: object) -> str:
    if isinstance(item, str | int | float):
        return "take the plain value, such as str(x), int(x) or x.value"
    if isinstance(item, tuple | set | frozenset):
        return "list(x)"
    if isinstance(item, bytes | bytearray):
        return "decode it, or give a reference"
    return "to dict, list, str, int, float, bool or None"
