"""A shape: the JSON Schema of a type form together with how a value of it is read and written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs

from ...contracts.json_values import JsonObject, JsonValue
from ...text import describe, quote

Read: TypeAlias = Callable[[Any], Any]
"""From a JSON value to what the tool receives; raises :class:`Misfit`."""
Write: TypeAlias = Callable[[Any], Any]
"""From what the tool returned to a JSON value; raises :class:`Misfit`."""

_KINDS: dict[type[Any], str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    int: "an integer",
    float: "a decimal number",
    bool: "a boolean",
    type(None): "null",
}


class Misfit(Exception):
    """A value does not fit its shape, or a type form has no shape.

    Raised where it is found; whoever passes it on adds where it was with :meth:`at`. It holds no value.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self._parts: list[str] = []

    def at(self, part: str) -> None:
        """Say in which part of the enclosing thing it happened."""
        self._parts.append(part)

    @property
    def path(self) -> str:
        """Where it happened, from the outside in: ``filter.rows[3]``; empty at the root."""
        return "".join(reversed(self._parts)).removeprefix(".")


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Shape:
    """One type form: ``keywords`` is its schema, ``read`` and ``write`` check and convert.

    ``takes`` are the exact types of JSON values that it can read, ``gives`` the exact classes of what that gives.
    ``words`` completes "must be …". ``options`` are the shapes that a union chooses from, ``item`` is that of each
    element, ``key`` that of each key; ``with_parts(item, key)`` makes the same container of other parts.
    """

    words: str
    keywords: JsonObject
    takes: frozenset[type[Any]]
    gives: frozenset[type[Any]]
    read: Read
    write: Write
    options: tuple[Shape, ...] = ()
    item: Shape | None = None
    key: Shape | None = None
    with_parts: Callable[[Shape, Shape | None], Shape] | None = None


def described(shape: Shape, text: str) -> Shape:
    """Return the shape with a description for the readers of its schema."""
    return attrs.evolve(shape, keywords={**shape.keywords, "description": text})


def ruled(shape: Shape, keyword: str, argument: JsonValue, holds: Callable[[Any], bool], problem: str) -> Shape:
    """Return the shape narrowed by one rule: the keyword for readers of the schema, `holds` for values.

    `holds` is asked of what ``read`` gives and of what ``write`` gets, never of anything that is not in ``gives``.
    """
    read, write = shape.read, shape.write

    def ruled_read(value: Any) -> Any:
        found = read(value)
        if not holds(found):
            raise Misfit(problem)
        return found

    def ruled_write(value: Any) -> Any:
        written = write(value)
        if not holds(value):
            raise Misfit(problem)
        return written

    keywords = dict(shape.keywords)
    if keyword in keywords:
        also: list[JsonValue] = keywords.get("allOf", [])  # type: ignore[assignment]
        keywords["allOf"] = [*also, {keyword: argument}]
    else:
        keywords[keyword] = argument
    return attrs.evolve(shape, keywords=keywords, read=ruled_read, write=ruled_write)


def not_this(words: str, value: object) -> Misfit:
    """Return the misfit of a value of the wrong type; it says which type, never which value."""
    return Misfit(f"must be {words}, not {_KINDS.get(type(value)) or describe(value)}")


def member(name: str) -> str:
    """Return a property's name as a part of a path: ``.limit`` or ``['a b']``."""
    return f".{name}" if name.isidentifier() and len(name) <= 40 else f"[{quote(name)}]"


def shown(value: object) -> str:
    """Return a scalar that the tool's author chose, as a message shows it: ``'a'``, ``3``, ``null``."""
    if type(value) is int and value.bit_length() > 128:  # Python refuses to write very long ones
        return f"an integer of {value.bit_length()} bits"
    return quote(value) if type(value) is str else _CONSTANTS.get(repr(value)) or repr(value)


def listed(values: Sequence[object]) -> str:
    """Return scalars that the tool's author chose, twelve at the most, as a message shows them."""
    return ", ".join(map(shown, values[:12])) + (", …" if len(values) > 12 else "")


_CONSTANTS = {"None": "null", "True": "true", "False": "false"}
