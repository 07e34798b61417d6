"""What the words of a command are to the program that gets them: commands, options, operands, or text that it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

import attrs

Role: TypeAlias = Literal["command", "option", "operand", "script"]

_MANY: Final = 16
"""How many commands that run commands are followed, one inside of another."""


@attrs.frozen
class Word:
    """A word of a command. ``script`` is text that a program runs; ``option`` is what stands before the word."""

    text: str
    role: Role
    option: str = ""


@attrs.frozen
class _Language:
    """How a program is given text to run: behind certain letters or words, or as the first operand.

    The first operand is such text if ``first``, unless a letter of ``instead`` is given. ``valued`` are the letters of
    options with a value. ``behind`` says that the text is the next operand (``sh -c -x TEXT``), ``ends`` that what
    comes after the text is for the text (``python -c TEXT -x``).
    """

    letters: str = ""
    words: frozenset[str] = frozenset()
    valued: str = ""
    first: bool = False
    instead: str = ""
    behind: bool = False
    ends: bool = False


_SHELL: Final = _Language(
    letters="c", words=frozenset({"--command", "--init-command"}), valued="oO", behind=True, ends=True
)
_AWK: Final = _Language(letters="e", words=frozenset({"--source"}), valued="fFvEilW", first=True, instead="efE")
_LANGUAGES: Final = {
    **dict.fromkeys(("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "su"), _SHELL),
    **dict.fromkeys(("python", "pypy", "jython"), _Language(letters="c", valued="mWXQ", ends=True)),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _AWK),
    **dict.fromkeys(
        ("sed", "gsed"),
        _Language(letters="e", words=frozenset({"--expression"}), valued="fl", first=True, instead="ef"),
    ),
    "perl": _Language(letters="eE", valued="ICDFMmx0"),
    "ruby": _Language(letters="e", valued="ICEFKrTWx0"),
    **dict.fromkeys(("node", "nodejs"), _Language(letters="ep", words=frozenset({"--eval", "--print"}), valued="rC")),
    "php": _Language(letters="rBRE", words=frozenset({"--run"}), valued="cdfStz"),
    "lua": _Language(letters="e", valued="l"),
    "osascript": _Language(letters="e", valued="ls"),
    **dict.fromkeys(
        ("pwsh", "powershell"), _Language(words=frozenset({"-command", "-c", "-encodedcommand", "-e", "-ec"}))
    ),
    "psql": _Language(letters="c", words=frozenset({"--command"}), valued="dfFhLoPpRTUv"),
    "env": _Language(letters="S", words=frozenset({"--split-string"}), valued="uC"),
}
_RUNNERS: Final = {
    "env": ("uCS", 0),
    "xargs": ("aEdILnPs", 0),
    "nice": ("n", 0),
    "ionice": ("cnpPu", 0),
    "nohup": ("", 0),
    "setsid": ("", 0),
    "stdbuf": ("ioe", 0),
    "time": ("fo", 0),
    "timeout": ("ks", 1),
    "chroot": ("", 1),
    "sudo": ("CDghpRrtTUu", 0),
    "doas": ("Cu", 0),
    "busybox": ("", 0),
    "watch": ("nq", 0),
}
"""Programs that run a command: which of their options have a value, and how many operands come before the command."""
_EXEC: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def words(program: str, args: Sequence[str], depth: int = 0) -> Iterator[Word]:
    """Give the words of a command, and of the commands that it says to run, each with what it is.

    What the program does is known of the usual shells, interpreters and programs that run others.
    """
    yield Word(program, "command")
    name = re.sub(r"[0-9.]+$", "", program.rpartition("/")[2].lower().removesuffix(".exe"))
    if depth >= _MANY:
        return
    if name == "find":
        yield from _find(args, depth)
        return
    language = _LANGUAGES.get(name, _Language())
    valued, skipped = _RUNNERS.get(name, (language.valued, -1))
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

    def __init__(self, args: Sequence[str], language: _Language, valued: str, skipped: int, depth: int) -> None:
        self._args, self._position = args, 0
        self._language, self._valued, self._skipped, self._depth = language, valued, skipped, depth
        self._first = language.first
        """Whether the next operand is text to run; ``_waiting`` is the option that says so."""
        self._waiting = ""
        self._over = False

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
            elif self._skipped == 0 and not re.match(r"[A-Za-z_]\w*=", word):
                yield from words(word, self._args[self._position :], self._depth + 1)
                return
            else:
                self._skipped -= self._skipped > 0
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
        if not letter or not (letter in language.words or letter in language.letters):
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

    def _letter(self, word: str) -> tuple[str, str]:
        """Return the option of a word that has text to run or a value, and what is glued to it; or nothing."""
        name, equals, value = word.partition("=")
        if name.lower() in self._language.words:
            return name.lower(), value if equals else ""
        if word.startswith("--"):
            return "", ""
        for index, letter in enumerate(word[1:], 1):
            if letter in self._language.letters:
                return letter, "" if self._language.behind else word[index + 1 :]
            if letter in self._valued:
                return letter, word[index + 1 :]
        return "", ""
