"""JSON as text, both ways: what a model wrote is read strictly, what it is to read is written compactly."""

from __future__ import annotations

import json
from typing import Final

from ditto_core import InvalidValue, JsonObject, JsonValue, describe, parse_json

MAX_CHARACTERS: Final = 1_048_576
"""How long the text of one call's arguments may be."""
MAX_LEVELS: Final = 128
"""How many lists and objects of it may be inside each other, as in all JSON of Ditto's."""


class Unreadable(Exception):
    """A text holds no JSON that can be taken; says why, with nothing of the text but a key."""


def read_object(text: object) -> JsonObject:
    """Return the one object that the text is; raises :class:`Unreadable`."""
    if type(text) is not str:
        raise Unreadable(f"must be text that holds a JSON object, not {describe(text)}")
    if not text.strip():
        raise Unreadable("is empty; {} stands for none")
    value = read(text)
    if type(value) is not dict:
        raise Unreadable(f"must be a JSON object, not {_KINDS[type(value)]}")
    return value


def read(text: str) -> JsonValue:
    """Return the one JSON value that the text is; raises :class:`Unreadable` for what :func:`parse_json` refuses."""
    try:
        return parse_json(text, max_characters=MAX_CHARACTERS, max_depth=MAX_LEVELS)
    except InvalidValue as error:
        problem = error.problem
    raise Unreadable(problem)


def write(value: JsonValue, *, sort_keys: bool = False) -> str:
    """Return the value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys)


def is_writable(text: str) -> bool:
    """Tell whether UTF-8 can write the text: it holds no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_KINDS: Final = {
    list: "a list",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
