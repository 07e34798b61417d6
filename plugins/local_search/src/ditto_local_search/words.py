"""From what a user asks to what FTS5 matches: every word is quoted, so nothing of it is ever an operator."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Sequence
from typing import Final

from ditto_core import InvalidValue

from .limits import MAX_QUERY, MAX_WORDS

_NOT_WRITABLE: Final = re.compile("[\x00\ud800-\udfff]")
_PREFIX_FROM: Final = 3
"""From how many letters on a word also stands for longer ones that begin with it."""


def words_of(query: str) -> list[str]:
    """Return the different words of a query in their order, without those that hold no letter and no digit.

    Raises :class:`InvalidValue` for a query that is no string or too long.
    """
    if type(query) is not str:
        raise InvalidValue("query", "must be a string")
    found = [word for word in _NOT_WRITABLE.sub(" ", query).split() if any(map(str.isalnum, word))]
    if len(query) > MAX_QUERY or len(found) > MAX_WORDS:
        raise InvalidValue("query", f"must have at most {MAX_QUERY} characters and {MAX_WORDS} words")
    return list({folded(word): word for word in reversed(found)}.values())[::-1]


def folded(word: str) -> str:
    """Return a word as the index has it: lower case, without accents and without what is around it."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).strip(_AROUND)


_AROUND: Final = "\"'`.,;:!?()[]{}<>*_-/\\«»„“”‘’…"


def telling(words: Sequence[str], common: Container[str]) -> list[str]:
    """Return the words that tell documents apart, or all of them if none does."""
    return [word for word in words if folded(word) not in common] or list(words)


def matching(words: Sequence[str], how: str) -> str:
    """Return the FTS5 expression for documents that hold all (``AND``) or any (``OR``) of the words."""
    return f" {how} ".join(map(_term, words))


def _term(word: str) -> str:
    quoted = '"' + word.replace('"', '""') + '"'
    return quoted + "*" if sum(map(str.isalnum, word)) >= _PREFIX_FROM else quoted
