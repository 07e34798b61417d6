"""JSON as a configuration file: no key twice, no NaN, no infinity."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from ..contracts.json_values import JsonValue
from ..text import quote
from .scalars import Unusable, integer, real
from .source import MAX_DEPTH, Source

_STEP: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)
"""A string, as a whole, or what opens or closes a list or an object."""


def read_json(text: str, name: str) -> tuple[JsonValue, Source]:
    """Return what the text holds; raises :class:`ConfigError`."""
    source = Source(name)
    if not text.strip():
        raise source.at(None, "is empty; write {} to set nothing")
    _check_depth(text, source)
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=integer, parse_float=real, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        refusal = source.at(error.lineno, f"is no valid JSON: {error.msg[:1].lower()}{error.msg[1:]}")
    except Unusable as error:
        refusal = source.at(None, str(error))
    else:
        return value, source
    raise refusal  # out here, so that the error has no context: its text shows what the file holds


def _check_depth(text: str, source: Source) -> None:
    """Refuse what is nested too deep before the decoder, which is recursive, meets it."""
    depth = 0
    for step in _STEP.finditer(text):
        character = step[0][0]
        depth += (character in "[{") - (character in "]}")
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, step.start()) + 1
            raise source.at(line, f"is nested more than {MAX_DEPTH} deep; flatten it")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Unusable(f"has the key {quote(key)} twice in one object; keep one")
        found[key] = value
    return found


def _no_number(name: str) -> NoReturn:
    raise Unusable(f"holds {name}, which is no JSON; give a finite number")
