"""The arguments of a call: one JSON object, or ``key=value`` words that the tool's schema helps to read."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import typer

from ditto_core import InvalidValue, parse_json

MAX_CHARACTERS: Final = 1_048_576
"""How long the JSON of a command line, or of standard input, may be."""


def arguments_of(words: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that the words give; raises :class:`typer.BadParameter`.

    One word that begins with ``{`` is the JSON object itself, ``-`` reads it from standard input. In ``key=value``, a
    value is text where the schema says that the property is a string, else JSON where it parses, else text.
    """
    if list(words) == ["-"]:
        return _object(sys.stdin.read(MAX_CHARACTERS + 1), "standard input")
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return _object(words[0], "the JSON")
    found: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise _bad(f"{word[:100]!r} is no argument; write key=value, or all of them as one JSON object")
        if key in found:
            raise _bad(f"{key!r} is given twice; a list is written {key}='[…]'")
        found[key] = value if _is_text(schema, key) else _value(value)
    return found


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        value = parse_json(text, max_characters=MAX_CHARACTERS)
    except InvalidValue as error:
        raise _bad(f"{where} {error.problem}") from None
    if type(value) is not dict:
        raise _bad(f"{where} is no object; write {{…}}")
    return value


def _is_text(schema: Mapping[str, Any], key: str) -> bool:
    properties = schema.get("properties")
    of_key = properties.get(key) if isinstance(properties, Mapping) else None
    return isinstance(of_key, Mapping) and of_key.get("type") == "string"


def _value(text: str) -> Any:
    try:
        return parse_json(text)
    except InvalidValue:
        return text


def _bad(problem: str) -> typer.BadParameter:
    return typer.BadParameter(problem, param_hint="ARGUMENTS")
