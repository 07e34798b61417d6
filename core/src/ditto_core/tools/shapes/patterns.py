r"""Patterns that Python and ECMA 262 read alike, which is what a JSON Schema may hold.

A pattern is checked against a small grammar: literals, classes of literals, ``\n \r \t \f \v \xHH \uHHHH``, escaped
punctuation, groups, lookahead, alternatives, and repeats with or without ``?`` behind. ECMA 262 is read with its
``u`` flag, as JSON Schema asks for. Everything else is refused, also where it might turn out to be alike:

- ``\d \w \s \b`` and ``.`` mean other characters there; ``\A \Z (?P<n>…) (?i) (?>…) (?(1)…) a*+ {,n}`` are errors
  or mean something else; references to groups and repeats of what may be empty have rules of their own;
- ``$`` also matches before a final newline here, so it may only be the end of a pattern that matches in full.
"""

from __future__ import annotations

import re
from math import inf
from typing import NoReturn

from .shape import Misfit, shown

_PUNCTUATION = frozenset("^$\\.*+?()[]{}|/")
_ESCAPE = re.compile(r"[nrtfv]|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")
_COUNTS = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_REMEDIES = {
    "\\d": "write [0-9]",
    "\\w": "write [A-Za-z0-9_]",
    "\\s": "write [ \\t\\n] or the blanks you mean",
    ".": "write [^\\n] or the characters you mean",
    "\\A": "leave it out, the whole text has to match",
    "\\Z": "leave it out, the whole text has to match",
    "$": "use it only at the end, with re.fullmatch",
}


def schema_pattern(pattern: re.Pattern[str], function: str) -> str:
    """Return the ``pattern`` keyword that means what ``pattern.<function>`` does, in Python and in ECMA 262.

    `function` is fullmatch, match or search. Raises :class:`Misfit` for a pattern that the two may read differently.
    """
    text = pattern.pattern
    if type(text) is not str or pattern.flags != re.UNICODE:
        raise Misfit("has a pattern of bytes or with flags, which a schema cannot tell; spell it out in the pattern")
    _Reader(text, full=function == "fullmatch").check()
    if function == "fullmatch":
        return rf"^(?:{text})$(?!\n)"
    return f"^(?:{text})" if function == "match" else text


class _Reader:
    """Reads a pattern that Python has compiled from left to right; each method says whether its part may be empty."""

    def __init__(self, text: str, *, full: bool) -> None:
        self.text = text
        self.full = full
        self.position = 0

    def check(self) -> None:
        self._alternatives(depth=0)

    def _refuse(self, found: str) -> NoReturn:
        remedy = _REMEDIES.get(found, "write it with literals, classes and simple repeats")
        raise Misfit(f"has a pattern with {shown(found)}, which Python and ECMA 262 may read differently; {remedy}")

    def _next(self, text: str) -> bool:
        """Step over `text` if it comes next."""
        found = self.text.startswith(text, self.position)
        if found:
            self.position += len(text)
        return found

    def _ends(self, *ends: str) -> bool:
        return self.position == len(self.text) or self.text[self.position] in ends

    def _alternatives(self, depth: int) -> bool:
        may_be_empty = self._branch(depth)
        while self._next("|"):
            may_be_empty |= self._branch(depth)
        return may_be_empty

    def _branch(self, depth: int) -> bool:
        may_be_empty = True
        while not self._ends("|", ")"):
            may_be_empty &= self._part(depth)
        return may_be_empty

    def _part(self, depth: int) -> bool:
        if self._next("^"):
            return True
        if self._next("$"):
            if not self.full or depth or not self._ends("|"):
                self._refuse("$")
            return True
        if self._next("(?=") or self._next("(?!"):
            self._group(depth)
            if not self._ends("|", ")") and self.text[self.position] in "*+?{":
                self._refuse(f"){self.text[self.position]}")
            return True
        if self._next("(?:"):
            return self._repeated(may_be_empty=self._group(depth))
        if self._next("(?"):
            self._refuse(self.text[self.position - 2 : self.position + 2])
        if self._next("("):
            return self._repeated(may_be_empty=self._group(depth))
        if self._next("["):
            self._class()
        else:
            self._character(refused=".*+?{}]", escapable=_PUNCTUATION)
        return self._repeated(may_be_empty=False)

    def _group(self, depth: int) -> bool:
        may_be_empty = self._alternatives(depth + 1)
        self._next(")")
        return may_be_empty

    def _class(self) -> None:
        self._next("^")
        if self._next("]"):
            self._refuse("]")
        first = True
        while not self._next("]"):
            if self._next("-"):
                if not (first or self._ends("]")) or self.text.startswith("-", self.position):
                    self._refuse("-")
            else:
                self._class_character()
            if not self.text.startswith("-]", self.position) and self._next("-"):
                self._class_character()
            first = False

    def _class_character(self) -> None:
        if self.text[self.position] in "&|~" and self.text[self.position] == self.text[self.position + 1]:
            self._refuse(self.text[self.position] * 2)
        self._character(refused="[-", escapable=_PUNCTUATION | {"-"})

    def _character(self, *, refused: str, escapable: frozenset[str]) -> None:
        """Step over one character, plain or escaped."""
        if not self._next("\\"):
            plain = self.text[self.position]
            if plain in refused or _is_surrogate(ord(plain)):
                self._refuse(plain)
            self.position += 1
        elif self.text[self.position] in escapable:
            self.position += 1
        else:
            escape = _ESCAPE.match(self.text, self.position)
            if escape is None or _is_surrogate(int(escape[1] or escape[2] or "0", 16)):
                self._refuse(f"\\{self.text[self.position]}")
            self.position = escape.end()

    def _repeated(self, *, may_be_empty: bool) -> bool:
        """Step over what says how often the part before may come."""
        least, most = 1, 1.0
        counts = _COUNTS.match(self.text, self.position)
        if counts is not None:
            self.position = counts.end()
            least = int(counts[1])
            most = least if counts[2] is None else float(counts[3] or "inf")
        elif self._next("?"):
            least = 0
        elif self._next("*"):
            least, most = 0, inf
        elif self._next("+"):
            most = inf
        else:
            return may_be_empty
        if may_be_empty and most > 1:
            self._refuse(self.text[: self.position][-10:])
        self._next("?")
        if self._next("+"):
            self._refuse(self.text[self.position - 2 : self.position])
        return may_be_empty or not least


def _is_surrogate(code: int) -> bool:
    return 0xD800 <= code <= 0xDFFF
