"""JSON as text, read strictly: what an object says twice, and what is no JSON, is refused and never repaired."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import Any, Final, NoReturn

from ..errors import InvalidValue
from ..text import describe, quote
from .json_values import MAX_DEPTH, JsonValue

MAX_CHARACTERS: Final = 1_048_576
"""How long a text may be unless another bound is given."""
MAX_DIGITS: Final = 4_300
"""How many digits an integer may have: as many as Python itself reads."""

_STEP: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)
"""A string, as a whole, or what opens or closes a list or an object."""


class NotJson(Exception):
    """A text is no JSON that can be taken; ``problem`` says why, and shows nothing of it but a key.

    ``line`` is where, from 1, if that is known.
    """

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


def parse_json(text: str, *, max_characters: int = MAX_CHARACTERS, max_depth: int = MAX_DEPTH) -> JsonValue:
    """Return the one JSON value that a text is, by RFC 8259 and nothing more.

    Raises :class:`InvalidValue`, whose ``problem`` shows nothing of the text but a key, for what is no JSON, for a key
    twice in one object, for NaN and infinities, numbers that are too large, more than `max_characters`, and more than
    `max_depth` lists and objects inside each other. Lone surrogates stay: they are looked for
    where a value enters, and :func:`replace_surrogates` mends a text.
    """
    if type(text) is not str:
        raise InvalidValue("", f"must be a text that holds JSON, not {describe(text)}")
    try:
        if len(text) > max_characters:
            raise NotJson(f"is longer than {max_characters:,} characters; shorten it")
        value: JsonValue = decoded(text, max_depth=max_depth)
    except NotJson as error:
        at = f" at line {error.line}" if error.line is not None and error.line > 1 else ""
        refusal = InvalidValue("", f"{error.problem}{at}")
    else:
        return value
    raise refusal  # out here, so that the error has no context: its own would show the text


def decoded(
    text: str,
    *,
    max_depth: int,
    parse_int: Callable[[str], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
) -> Any:
    """Return the value of a text, its numbers read by these functions; raises :class:`NotJson`, or what they raise."""
    import json  # nobody who only imports the package pays for it

    _check_depth(text, max_depth)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=parse_int or _integer,
            parse_float=parse_float or _real,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        refusal = NotJson(
            f"is no valid JSON: {error.msg[:1].lower()}{error.msg[1:]}, at character {error.colno:,}", error.lineno
        )
    raise refusal


def _check_depth(text: str, max_depth: int) -> None:
    """Refuse what is nested too deep before the decoder, which is recursive, meets it."""
    depth = 0
    for step in _STEP.finditer(text):
        character = step[0][0]
        depth += (character in "[{") - (character in "]}")
        if depth > max_depth:
            raise NotJson(f"is nested more than {max_depth} deep; flatten it", text.count("\n", 0, step.start()) + 1)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = set()
        for key, _ in pairs:
            if key in keys:
                raise NotJson(f"has the key {quote(key)} twice in one object; keep one")
            keys.add(key)
    return found


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS + digits.startswith("-"):
        raise NotJson(f"holds an integer of more than {MAX_DIGITS:,} digits; write it as a string")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise NotJson("holds a number that is too large; write it as a string")
    return number


def _no_number(name: str) -> NoReturn:
    raise NotJson(f"holds {name}, which is no JSON; give a finite number")
