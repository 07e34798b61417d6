"""The shapes without parts: text, numbers, booleans, null, and JSON that is taken as it is.

Types are exact: ``True`` is not 1, ``"5"`` is not 5 and ``1.0`` is no integer. An integer is a valid number and
stays an integer.
"""

from __future__ import annotations

from typing import Any

from .shape import Read, Shape, not_this

_JSON: frozenset[type[Any]] = frozenset({dict, list, str, int, float, bool, type(None)})


def _exactly(words: str, *kinds: type[Any]) -> Read:
    first, last = kinds[0], kinds[-1]

    def read(value: Any) -> Any:
        kind = type(value)
        if kind is first or kind is last:
            return value
        raise not_this(words, value)

    return read


def _scalar(words: str, name: str, *kinds: type[Any]) -> Shape:
    same = _exactly(words, *kinds)
    exact: frozenset[type[Any]] = frozenset(kinds)
    return Shape(words=words, keywords={"type": name}, takes=exact, gives=exact, read=same, write=same)


def _same(value: Any) -> Any:
    return value


TEXT = _scalar("a string", "string", str)
INTEGER = _scalar("an integer", "integer", int)
NUMBER = _scalar("a number", "number", int, float)
BOOLEAN = _scalar("true or false", "boolean", bool)
NULL = _scalar("null", "null", type(None))
JSON_OBJECT = _scalar("an object", "object", dict)
"""`JsonObject`: what is inside is JSON, which the registry has settled."""
ANY_JSON = Shape(words="any JSON value", keywords={}, takes=_JSON, gives=_JSON, read=_same, write=_same)
"""`JsonValue`."""

SCALARS: dict[type[Any], Shape] = {
    str: TEXT,
    int: INTEGER,
    float: NUMBER,
    bool: BOOLEAN,
    type(None): NULL,
}
"""The shape of each plain scalar type."""

SCALAR_KINDS = frozenset({str, int, float, bool, type(None)})
"""The exact types of JSON values without parts."""
