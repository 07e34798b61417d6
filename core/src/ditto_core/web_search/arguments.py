"""What the tool takes: a query of one line, and how many hits."""

from __future__ import annotations

import re
from typing import Final

import attrs

from ..contracts.json_values import JsonObject
from ..errors import InvalidValue
from ..text import describe

MAX_QUERY: Final = 600
"""How many characters a query has at the most, blanks at its ends included."""
MAX_WORDS: Final = 75
"""How many words a query has at the most; a word ends where there is a blank."""
MAX_LIMIT: Final = 20
"""How many hits can be asked for."""
DEFAULT_LIMIT: Final = 5
"""How many hits are asked for when nothing is said."""

_BLANK = r"\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_CONTROL = r"\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029"
_WORD = rf"[^{_BLANK}{_CONTROL}]+"
_PATTERN: Final = rf"^[{_BLANK}]*{_WORD}(?:[{_BLANK}]+{_WORD}){{0,{MAX_WORDS - 1}}}[{_BLANK}]*$(?!\n)"
_is_query = re.compile(_PATTERN).match
_has_control = re.compile(rf"[{_CONTROL}]").search

SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "maxLength": MAX_QUERY,
            "pattern": _PATTERN,
            "description": f"What to search for: one line of at most {MAX_QUERY} characters and {MAX_WORDS} words.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_LIMIT,
            "default": DEFAULT_LIMIT,
            "description": "How many results at the most.",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
"""What callers are shown; it and :func:`validate` accept the same."""


@attrs.frozen(unsafe_hash=False)
class Asked:
    """A query without blanks at its ends, and how many hits are wanted."""

    __hash__ = None  # type: ignore[assignment]

    query: str
    limit: int


def validate(arguments: JsonObject) -> Asked:
    """Return what is asked for; raises :class:`InvalidValue`, which does not quote the query."""
    if not arguments.keys() <= {"query", "limit"}:
        raise InvalidValue("arguments", "may hold query and limit only")
    if "query" not in arguments:
        raise InvalidValue("query", "is required")
    query, limit = arguments["query"], arguments.get("limit", DEFAULT_LIMIT)
    if type(query) is not str:
        raise InvalidValue("query", f"must be a string, not {describe(query)}")
    if len(query) > MAX_QUERY:
        raise InvalidValue("query", f"has {len(query):,} characters, and {MAX_QUERY} are allowed; shorten it")
    if _is_query(query) is None:
        raise InvalidValue("query", _problem(query))
    if type(limit) is not int:
        raise InvalidValue("limit", f"must be an integer, not {describe(limit)}")
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidValue("limit", f"must be 1 to {MAX_LIMIT}")
    return Asked(query.strip(), limit)


def _problem(query: str) -> str:
    """Say why the pattern refuses a query."""
    if _has_control(query):
        return "must be one line without control characters; put it on one line"
    if not query.strip():
        return "must not be blank"
    return f"has {len(query.split())} words, and {MAX_WORDS} are allowed; shorten it"
