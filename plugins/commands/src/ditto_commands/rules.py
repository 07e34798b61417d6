"""The kinds of arguments that the commands share: each is one rule, of which schema and check are made alike."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from attrs.validators import ge, le, matches_re, max_len, min_len

MAX_TEXT: Final = 1_024
"""How many characters a path, a pattern or a name has at the most."""
MAX_PATHS: Final = 16
"""How many paths one search takes."""
MAX_DEPTH: Final = 32
"""How many folders deep a walk may be asked to go."""
MAX_LINES: Final = 1_000
"""How many lines of a file may be asked for."""

PATH_RULE: Final = (
    "must be a relative path in the workspace: no leading slash or drive, no empty segment, no '..', "
    "no backslash and no control character"
)

_CHARACTER = r"[^/\\\x00-\x1f\x7f-\x9f\u2028\u2029]"
_NOT_A_DOT = r"[^/.\\\x00-\x1f\x7f-\x9f\u2028\u2029]"
# Every segment but the empty one and "..".
_SEGMENT = rf"(?:\.|\.?{_NOT_A_DOT}{_CHARACTER}*|\.\.{_CHARACTER}+)"
_PATH = rf"(?![A-Za-z]:){_SEGMENT}(?:/{_SEGMENT})*"
_LINE = r"[^\x00\r\n]+"
_RANGE = r"[1-9][0-9]{0,8}(?:-(?:[1-9][0-9]{0,8})?)?"

RelativePath: TypeAlias = Annotated[str, max_len(MAX_TEXT), matches_re(_PATH)]
"""A path that stays in the workspace as far as its text tells; :mod:`.checks` looks where it leads."""
RelativePaths: TypeAlias = Annotated[tuple[RelativePath, ...], min_len(1), max_len(MAX_PATHS)]
"""One path or more."""
Line: TypeAlias = Annotated[str, max_len(MAX_TEXT), matches_re(_LINE)]
"""A text that is not empty and goes to no second line."""
Character: TypeAlias = Annotated[str, max_len(1), matches_re(_LINE)]
"""One character, and no line end."""
Fields: TypeAlias = Annotated[str, max_len(MAX_TEXT), matches_re(rf"{_RANGE}(?:,{_RANGE})*")]
"""Numbers from 1 on and ranges of them: ``1,3-5,7-``."""
Depth: TypeAlias = Annotated[int, ge(0), le(MAX_DEPTH)]
"""How many folders deep."""
Lines: TypeAlias = Annotated[int, ge(1), le(MAX_LINES)]
"""How many lines."""
