"""The kinds of arguments that the commands share, each with the one rule that schema and check are made of."""

from __future__ import annotations

from typing import Any

import attrs
from attrs import validators

MAX_TEXT = 1_024
"""How many characters a path, a pattern or a name has at the most."""
MAX_PATHS = 16
"""How many paths one search takes."""
MAX_DEPTH = 32
"""How many folders deep a walk may be asked to go."""
MAX_LINES = 1_000
"""How many lines of a file may be asked for."""

PATH_RULE = (
    "must be a relative path in the workspace: no leading slash or drive, no empty segment, no '..', "
    "no backslash and no control character"
)

_CHARACTER = r"[^/\\\x00-\x1f\x7f-\x9f\u2028\u2029]"
_NOT_A_DOT = r"[^/.\\\x00-\x1f\x7f-\x9f\u2028\u2029]"
# Every segment but the empty one and "..".
_SEGMENT = rf"(?:\.|\.?{_NOT_A_DOT}{_CHARACTER}*|\.\.{_CHARACTER}+)"
PATH = rf"(?![A-Za-z]:){_SEGMENT}(?:/{_SEGMENT})*"
TEXT = r"[^\x00\r\n]+"
FIELDS = r"[1-9][0-9]{0,8}(?:-(?:[1-9][0-9]{0,8})?)?(?:,[1-9][0-9]{0,8}(?:-(?:[1-9][0-9]{0,8})?)?)*"


def path(description: str, *, default: Any = attrs.NOTHING) -> Any:
    """One path."""
    return _described(_text(PATH), description, default)


def paths(description: str) -> Any:
    """One to 16 paths."""
    rule = [validators.min_len(1), validators.max_len(MAX_PATHS), validators.deep_iterable(_text(PATH))]
    return _described(rule, description)


def text(description: str, *, default: Any = attrs.NOTHING, pattern: str = TEXT, max_len: int = MAX_TEXT) -> Any:
    """One line of text."""
    rule: Any = _text(pattern, max_len)
    return _described(validators.optional(rule) if default is None else rule, description, default)


def flag(description: str, *, alias: str | None = None) -> Any:
    """Yes or no, no by default."""
    return attrs.field(default=False, alias=alias, metadata={"description": description})


def number(description: str, *, default: int, least: int, most: int, alias: str | None = None) -> Any:
    """An integer within bounds."""
    rule = [validators.ge(least), validators.le(most)]
    return attrs.field(default=default, validator=rule, alias=alias, metadata={"description": description})


def _text(pattern: str, max_len: int = MAX_TEXT) -> Any:
    return validators.and_(validators.max_len(max_len), validators.matches_re(pattern))


def _described(rule: Any, description: str, default: Any = attrs.NOTHING) -> Any:
    return attrs.field(default=default, validator=rule, metadata={"description": description})
