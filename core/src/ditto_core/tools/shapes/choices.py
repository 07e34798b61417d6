"""One of several fixed values: ``Literal`` and ``Enum``, both by value and exact type."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from math import isfinite
from typing import Any

from .scalars import SCALAR_KINDS
from .shape import Misfit, Shape, listed

_TYPE_NAMES: dict[type[Any], str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def literal_shape(values: Sequence[Any]) -> Shape:
    """Return the shape of ``Literal[…]``; an enum's member in it stands for its value."""
    return _choice([(value.value if isinstance(value, enum.Enum) else value, value) for value in values])


def enum_shape(kind: type[enum.Enum]) -> Shape:
    """Return the shape of an enum: the values on the JSON side, the members on the Python side."""
    return _choice([(one.value, one) for one in kind])


def _choice(pairs: Sequence[tuple[Any, Any]]) -> Shape:
    """Return the shape that gives the second of a pair for the first.

    A float is found by any equal number, since an integer is a valid float and schemas compare by value; an
    integer only by an integer.
    """
    values = [value for value, _ in pairs]
    kinds = frozenset(map(type, values))
    if not kinds:
        raise Misfit("has no values to choose from; give it a member")
    if not kinds <= SCALAR_KINDS or not all(isfinite(value) for value in values if type(value) is float):
        raise Misfit("has a value that is no JSON scalar; use str, int, float, bool or None for all of them")
    if kinds >= {int, float}:
        raise Misfit("mixes integers and other numbers, which a schema compares alike; write all of them as floats")
    given = {kind: {value: one for value, one in pairs if type(value) is kind} for kind in kinds}
    if float in kinds:
        given[int] = given[float]
    classes = frozenset(type(one) for _, one in pairs)
    words = f"one of {listed(values)}" if len(values) > 1 else listed(values)

    def read(value: Any) -> Any:
        table = given.get(type(value))
        if table is None or value not in table:
            raise Misfit(f"must be {words}")
        return table[value]

    def write(value: Any) -> Any:
        if type(value) not in classes:
            raise Misfit(f"must be {words}")
        written = value.value if isinstance(value, enum.Enum) else value
        read(written)
        return written

    names = [_TYPE_NAMES[kind] for kind in _TYPE_NAMES if kind in kinds]
    return Shape(
        words=words,
        keywords={"type": names[0] if len(names) == 1 else list(names), "enum": values},
        takes=frozenset(given),
        gives=classes,
        read=read,
        write=write,
    )
