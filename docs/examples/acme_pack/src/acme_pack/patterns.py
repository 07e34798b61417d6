r"""Regular expressions that a stranger may write: each is matched in time that grows with the length of the line.

Python's own ``re`` tries one way after another, so ``(a+)+$`` on forty characters can keep a process busy for years,
and no thread helps, because it holds the interpreter meanwhile. Here all ways are followed at once, as the bits of one
number (the "shift-and" method). The price is a smaller language, read as ``re`` reads it:

- characters, ``.``, ``\d \D \s \S \w \W \t``, escaped punctuation, classes such as ``[a-z_]`` and ``[^"]``
- ``*``, ``+`` and ``?`` after any of these
- ``^`` at the beginning and ``$`` at the end, and ``|`` between whole alternatives
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import attrs

_ATOM: Final = re.compile(
    r"""(?: (?P<plain> [^].\\[(){}^$*+?|] )
          | \\ (?P<escaped> [^0-9A-Za-z] )
          | (?P<set> \. | \\[dDsSwWt] | \[ \^? \]? (?: \\. | (?!--|&&|~~|\|\|) [^]\\[] )* \] )
        ) (?P<repeat> [*+?]? )""",
    re.VERBOSE,
)
_MAX_CHARACTERS: Final = 10_000
"""How many different characters are remembered before the memory is emptied; a text of one script has fewer."""


@attrs.frozen
class _Atom:
    """One character of the pattern; ``plain`` is that character, if it is only one and has to come exactly once."""

    fits: Callable[[str], object]
    optional: bool
    repeated: bool
    plain: str


@attrs.frozen
class _Alternative:
    atoms: list[_Atom]
    begins: bool
    ends: bool

    def word(self) -> str:
        """Return the longest text without which this cannot match."""
        return max("".join(atom.plain or "\n" for atom in self.atoms).split("\n"), key=len)


def _read(text: str, flags: re.RegexFlag) -> Iterator[_Alternative]:
    position = -1
    while position < len(text):
        position += 1  # over the | before
        begins = text.startswith("^", position)
        position += begins
        atoms = []
        while found := _ATOM.match(text, position):
            atoms.append(_atom(found, flags))
            position = found.end()
        ends = text.startswith("$", position)
        position += ends
        if position < len(text) and text[position] != "|":
            raise ValueError(
                f"the pattern has {text[position]!r} at position {position + 1}, where this tool does not know it; "
                r"there are no groups, no {…} and no \b, and punctuation that is meant as such needs a backslash"
            )
        yield _Alternative(atoms, begins, ends)


def _atom(found: re.Match[str], flags: re.RegexFlag) -> _Atom:
    plain, repeat = found["plain"] or found["escaped"] or "", found["repeat"]
    try:
        fits = re.compile(re.escape(plain) or found["set"], flags).fullmatch
    except re.error:
        raise ValueError("the pattern has a class of characters, in […], that is wrong") from None
    return _Atom(fits, repeat in ("*", "?"), repeat in ("*", "+"), "" if repeat else plain)


class Pattern:
    """A pattern that is sought in one line at a time; raises ``ValueError`` for what the language does not have.

    Every atom has a number, and after the last one of each alternative there is one number more. Bit i of a state
    says that the atoms before number i have matched, so number i is next; at that last number all have.
    """

    def __init__(self, text: str, *, ignore_case: bool = False) -> None:
        flags = re.IGNORECASE if ignore_case else re.NOFLAG
        self._fit: dict[int, Callable[[str], object]] = {}
        self._fitting: dict[str, int] = {}
        self._optional = self._repeated = self._first = self._again = self._end = self._end_of_line = 0
        words = []
        bit = 1
        for alternative in _read(text, flags):
            words.append(alternative.word())
            self._first |= bit
            self._again |= 0 if alternative.begins else bit
            for atom in alternative.atoms:
                self._fit[bit] = atom.fits
                self._optional |= bit * atom.optional
                self._repeated |= bit * atom.repeated
                bit <<= 1
            self._end_of_line |= bit
            self._end |= 0 if alternative.ends else bit
            bit <<= 1
        self._hint = re.compile("|".join(map(re.escape, words)), flags).search

    def found_in(self, line: str) -> bool:
        """Tell whether some part of the line matches; the line has no end of line in it."""
        if not self._hint(line):
            return False  # where most lines end, and without a step of the loop below
        state = self._onward(self._first)
        for character in line:
            if state & self._end:
                return True
            hit = state & self._atoms_for(character)
            state = self._onward(hit << 1 | hit & self._repeated | self._again)
        return bool(state & self._end_of_line)

    def _onward(self, state: int) -> int:
        """Go past optional atoms too: the addition carries a bit through a row of them to the next other number."""
        return state | (self._optional + (state & self._optional)) ^ self._optional

    def _atoms_for(self, character: str) -> int:
        """Return the atoms that the character fits."""
        fitting = self._fitting.get(character)
        if fitting is None:
            fitting = sum(bit for bit, fits in self._fit.items() if fits(character))
            if len(self._fitting) >= _MAX_CHARACTERS:
                self._fitting.clear()
            self._fitting[character] = fitting
        return fitting
