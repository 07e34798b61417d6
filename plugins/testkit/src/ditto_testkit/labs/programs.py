"""What the words of a command are to the program that gets them: commands, options, operands, or text that it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

import attrs

from .languages import LANGUAGES, RUNNERS, VARIABLES, Language

Role: TypeAlias = Literal["command", "option", "operand", "script"]

_MANY: Final = 16
"""How many commands that run commands are followed, one inside of another."""
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_NEVER: Final = Language().running


@attrs.frozen
class Word:
    """A word of a command. ``script`` is text that a program runs; ``option`` is what stands before the word."""

    text: str
    role: Role
    option: str = ""


_EXEC: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def words(program: str, args: Sequence[str], depth: int = 0) -> Iterator[Word]:
    """Give the words of a command, and of the commands that it says to run, each with what it is.

    What the program does is known of the usual shells, interpreters, programs that run others, and programs with an
    option or a setting that makes them run something; see :mod:`.languages`.
    """
    yield Word(program, "command")
    name = re.sub(r"[0-9.]+$", "", program.rpartition("/")[2].lower().removesuffix(".exe"))
    if depth >= _MANY:
        return
    if name == "find":
        yield from _find(args, depth)
        return
    language = LANGUAGES.get(name, Language(running=VARIABLES) if name in RUNNERS else Language())
    valued, skipped = RUNNERS.get(name, (language.valued, -1))
    yield from _Reader(args, language, valued, skipped, depth).words()


def _find(args: Sequence[str], depth: int) -> Iterator[Word]:
    """Read what has no end of options, and commands inside."""
    position = 0
    while position < len(args):
        word = args[position]
        position += 1
        yield Word(word, "option" if word.startswith("-") else "operand", args[position - 2] if position > 1 else "")
        if word in _EXEC and position < len(args):
            inner = list(args[position:])
            ends = [index for index, part in enumerate(inner) if part in (";", "+")]
            inner = inner[: ends[0]] if ends else inner
            position += len(inner)
            if inner:
                yield from words(inner[0], inner[1:], depth + 1)


class _Reader:
    """Reads the words of a program that has options, an end of options ``--``, and operands."""

    def __init__(self, args: Sequence[str], language: Language, valued: str, skipped: int, depth: int) -> None:
        self._args, self._position = args, 0
        self._language, self._valued, self._skipped, self._depth = language, valued, skipped, depth
        self._first = language.first
        """Whether the next operand is text to run; ``_waiting`` is the option that says so."""
        self._waiting = ""
        self._over = False
        self._operands: list[str] = []

    def words(self) -> Iterator[Word]:
        """Give each with what it is."""
        while self._position < len(self._args):
            before = self._args[self._position - 1] if self._position else ""
            word = self._next()
            if word == "--" and not self._over:
                self._over = True
            elif word.startswith("-") and word != "-" and not self._over:
                yield from self._option(word, before)
            elif self._waiting or self._first:
                yield self._script(word, self._waiting)
            elif self._skipped == 0 and not _ASSIGNMENT.match(word):
                yield from words(word, self._args[self._position :], self._depth + 1)
                return
            elif self._language.subcommands and word != "-":
                yield Word(word, "command", before)
                inner = self._language.subcommands.get(word, Language())
                yield from _Reader(self._args[self._position :], inner, inner.valued, -1, self._depth).words()
                return
            else:
                self._skipped -= self._skipped > 0
                yield from self._operand(word, before)

    def _operand(self, word: str, before: str) -> Iterator[Word]:
        language, first = self._language, self._operands[:1]
        number = len(self._operands)
        self._operands.append(word)
        name, equals, value = word.partition("=")
        if language.after is not None and number >= language.after:
            yield Word(word, "script", before)
        elif language.pair and number == 1 and language.runs_setting(first[0]):
            yield Word(word, "script", first[0])
        elif _ASSIGNMENT.match(word) and equals and language.running != _NEVER:
            yield Word(name, "option", before)
            yield Word(value, "script" if language.runs_variable(name) else "operand", name)
        else:
            yield Word(word, "option" if word == "-" and not self._over else "operand", before)

    def _next(self) -> str:
        self._position += 1
        return self._args[self._position - 1]

    def _script(self, text: str, option: str) -> Word:
        self._first, self._waiting = False, ""
        self._over = self._over or self._language.ends
        return Word(text, "script", option)

    def _option(self, word: str, before: str) -> Iterator[Word]:
        language = self._language
        letter, glued = self._letter(word)
        has_next = self._position < len(self._args)
        self._first = self._first and letter not in (*language.instead,)
        if letter and letter in (*language.settings, *language.setting_words):
            yield from self._setting(word, glued, before)
        elif not letter or letter not in (*language.words, *language.letters):
            yield Word(word, "option", before)
            if letter and not glued and has_next:
                value = self._next()
                yield Word(value, "option" if value.startswith("-") else "operand", word)
        elif glued:
            yield self._script(glued, word.removesuffix(glued))
        elif language.behind:
            self._waiting = word
        elif has_next:
            yield self._script(self._next(), word)

    def _setting(self, word: str, glued: str, before: str) -> Iterator[Word]:
        """Read an option whose value is a setting, KEY=VALUE."""
        if not glued and self._position >= len(self._args):
            yield Word(word, "option", before)
            return
        value = glued or self._next()
        role: Role = "script" if self._language.runs_setting(value) else "operand"
        yield Word(value, role, word.removesuffix(glued) if glued else word)

    def _letter(self, word: str) -> tuple[str, str]:
        """Return the option of a word that has text to run or a value, and what is glued to it; or nothing."""
        name, equals, value = word.partition("=")
        if name.lower() in (*self._language.words, *self._language.setting_words):
            return name.lower(), value if equals else ""
        if word.startswith("--"):
            return "", ""
        for index, letter in enumerate(word[1:], 1):
            if letter in self._language.letters:
                return letter, "" if self._language.behind else word[index + 1 :]
            if letter in (*self._valued, *self._language.settings):
                return letter, word[index + 1 :]
        return "", ""
