"""attrs classes as shapes: an object with exactly one property for each field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from ...contracts.json_values import JsonObject, JsonValue
from ...contracts.unset import UNSET
from ...text import quote
from .shape import Misfit, Read, Shape, Write, member, not_this


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Property:
    """A field as a property: ``name`` is the field's alias, ``attribute`` its name.

    ``keywords`` is its schema, description and default included. An absent one is filled in by the class, and one
    whose value is UNSET is left out when it is written.
    """

    name: str
    attribute: str
    keywords: JsonObject
    required: bool
    read: Read
    write: Write


def class_shape(kind: type[Any], properties: Sequence[Property]) -> Shape:
    """Return the shape of an attrs class with these properties; unknown ones are refused."""
    required: list[JsonValue] = [one.name for one in properties if one.required]
    keywords: JsonObject = {"type": "object", "properties": {one.name: one.keywords for one in properties}}
    if required:
        keywords["required"] = required
    keywords["additionalProperties"] = False
    return Shape(
        words="an object",
        keywords=keywords,
        takes=frozenset({dict}),
        gives=frozenset({kind}),
        read=_reader(kind, properties),
        write=_writer(kind, properties),
    )


def _reader(kind: type[Any], properties: Sequence[Property]) -> Read:
    rows = tuple((one.name, one.read, one.required) for one in properties)
    names = frozenset(one.name for one in properties)

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise not_this("an object", value)
        given = {}
        name = ""
        try:
            for name, read_one, required in rows:
                if name in value:
                    given[name] = read_one(value[name])
                elif required:
                    raise _missing([other for other, _, needed in rows if needed and other not in value])
        except Misfit as misfit:
            misfit.at(member(name))
            raise
        if len(given) != len(value):
            unknown = next(key for key in value if key not in names)
            raise Misfit(f"has the unknown property {quote(unknown)}; leave it out")
        try:
            return kind(**given)
        except Exception as error:  # a check of the class's own, which no schema tells
            raise Misfit(_told(error) or f"is refused by {kind.__name__}") from error

    return read


def _writer(kind: type[Any], properties: Sequence[Property]) -> Write:
    rows = tuple((one.name, one.attribute, one.write, one.required) for one in properties)

    def write(value: Any) -> Any:
        if type(value) is not kind:
            raise not_this(f"of the class {kind.__name__}", value)
        written = {}
        name = ""
        try:
            for name, attribute, write_one, required in rows:
                one = getattr(value, attribute)
                if one is not UNSET or required:
                    written[name] = write_one(one)
        except Misfit as misfit:
            misfit.at(member(name))
            raise
        return written

    return write


def _missing(names: Sequence[str]) -> Misfit:
    others = names[1:]
    return Misfit("is missing" + (f", and so is {', '.join(map(quote, others))}" if others else ""))


def _told(error: Exception) -> str | None:
    """Return the text that the author of a check gave to its exception; attrs' own hold the value's repr."""
    return error.args[0] if len(error.args) == 1 and type(error.args[0]) is str else None
