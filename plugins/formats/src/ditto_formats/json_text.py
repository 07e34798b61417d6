"""JSON as text, both ways: what a model wrote is read strictly, what it is to read is written compactly."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, Final, NoReturn

from ditto_core import JsonObject, JsonValue, describe

MAX_CHARACTERS: Final = 1_048_576
"""How long the text of one call's arguments may be."""
MAX_LEVELS: Final = 128
"""How many lists and objects of it may be inside each other, as in all JSON of Ditto's."""
MAX_DIGITS: Final = 4_300
"""How long an integer in it may be: as long as Python itself reads one."""

_STEP: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)
"""A string, as a whole, or what opens or closes a list or an object."""


class Unreadable(Exception):
    """A text holds no JSON that can be taken; says why, without anything of the text."""


def read_object(text: object) -> JsonObject:
    """Return the one object that the text is; raises :class:`Unreadable`."""
    if type(text) is not str:
        raise Unreadable(f"must be text that holds a JSON object, not {describe(text)}")
    if not text.strip():
        raise Unreadable("are empty; {} stands for none")
    value = read(text)
    if type(value) is not dict:
        raise Unreadable(f"must be a JSON object, not {_KINDS[type(value)]}")
    return value


def read(text: str) -> JsonValue:
    """Return the one JSON value that the text is; raises :class:`Unreadable`.

    Refused are a key that is twice in one object, NaN, infinities, numbers that are too large, and what is over the
    bounds. Lone surrogates are looked for where the value enters a contract.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"are longer than {MAX_CHARACTERS:,} characters")
    _check_levels(text)
    try:
        value: JsonValue = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        problem = f"are no valid JSON: {error.msg[:1].lower()}{error.msg[1:]}, at character {error.pos + 1:,}"
    else:
        return value
    raise Unreadable(problem)  # out here: what was caught holds the text


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


def _check_levels(text: str) -> None:
    """Refuse what is nested too deep before the decoder, which is recursive, meets it."""
    level = 0
    for step in _STEP.finditer(text):
        character = step[0][0]
        level += (character in "[{") - (character in "]}")
        if level > MAX_LEVELS:
            raise Unreadable(f"are nested more than {MAX_LEVELS} deep")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("have a key twice in one object")
    return found


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise Unreadable(f"hold an integer of more than {MAX_DIGITS:,} digits")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise Unreadable("hold a number that is too large")
    return number


def _no_number(name: str) -> NoReturn:
    raise Unreadable(f"hold {name}, which is no JSON")
