"""What a user may ask a search provider: one line that the tool ``web_search`` takes."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from ditto_core import SearchHit, web_search_tool

from .texts import nasty_texts, texts

WORDS: Final = ("ditto", "search", "plugin", "the", "how", "Zürich", "2024", "C++", "日本")

OPERATORS: Final = (
    '"',
    "'",
    '"a b"',
    'a"b',
    "a AND b",
    "a OR",
    "NOT a",
    "NEAR(a b)",
    "a*",
    "^a",
    "-a",
    "+a",
    "(a",
    "a)",
    "title:a",
    "site:example.com",
    "{a} : b",
    "a; DROP TABLE a --",
    "' OR 1=1 --",
    "a&count=99&key=x",
    "a=b",
    "a#b",
    "a?b",
    "%00",
    "%27",
    "%s",
    "+",
    "&",
    "a%20b",
    "${a}",
    "{0}",
    "../../a",
    "http://a/",
    "<b>a</b>",
    "&lt;",
    "\\",
    "x" * 600,
    " ".join(["a"] * 75),
)
"""Queries that search engines, data bases and URLs take for more than words."""


class _Nobody:
    origin = None

    async def search(self, query: str, limit: int) -> list[SearchHit]:
        return []


_tool = web_search_tool(_Nobody())


def _is_query(text: str) -> bool:
    """Tell whether the tool hands this on as it is."""
    try:
        return bool(_tool.validate({"query": text}).query == text)
    except ValueError:
        return False


def search_queries() -> st.SearchStrategy[str]:
    """Give queries that the tool ``web_search`` takes, plain ones and those that look like more than words."""
    made = st.sampled_from(OPERATORS) | nasty_texts() | texts(min_size=1, max_size=100)
    return plain_queries() | made.filter(_is_query)


def plain_queries() -> st.SearchStrategy[str]:
    """Give queries of one to four plain words."""
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
