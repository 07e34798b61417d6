"""What is found, in which order, and what a query means."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, SearchHit
from ditto_local_search import Document, LocalSearch
from ditto_testkit.strategies import nasty_texts

TEXTS = {
    "apple": "apples grow on apple trees",
    "pear": "pears grow on trees",
    "river": "water flows down the hill",
    "cafe": "the Café on the hill serves pears",
    "code": "call parse_url(text) or http.client",
}
FRUIT = LocalSearch(
    documents=[Document(url=f"http://h/{title}", title=title, text=text) for title, text in TEXTS.items()]
)


def found(search: LocalSearch, query: str, limit: int = 20) -> list[str]:
    return [hit.title for hit in asyncio.run(search.search(query, limit))]


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("apple", ["apple"]),
        ("APPLES", ["apple"]),
        ("cafe", ["cafe"]),
        ("CAFÉ hill", ["cafe", "river"]),
        ("tree", ["pear", "apple"]),  # both have 'trees'; the shorter text says more of it
        ("river pears", ["river", "pear", "cafe"]),  # none has both; a word of the title counts most
        ("pa", []),  # two letters stand for themselves only
        ("par", ["code"]),
        ("parse_url", ["code"]),
        ("http.client", ["code"]),
        ("nothing of this", []),
    ],
)
def test_words_find_documents(query: str, titles: list[str]) -> None:
    assert found(FRUIT, query) == titles


@pytest.mark.parametrize(
    "query",
    [
        "apple OR",
        "apple AND (",
        'apple "',
        "apple*",
        "-apple",
        "^apple",
        "title: apple",
        "NEAR( apple",
        "{body} : apple",
    ],
)
def test_signs_and_operators_are_text(query: str) -> None:
    assert "apple" in found(FRUIT, query)


@pytest.mark.parametrize("query", ["", " ", "...", '"', '""', "*", "_", "--", "\0", "\ud800", "( ) : ^ - +", "\u2028"])
def test_a_query_without_letters_finds_nothing(query: str) -> None:
    assert found(FRUIT, query) == []


@given(st.text(max_size=200) | nasty_texts().filter(lambda text: len(text) <= 600 and len(text.split()) <= 75))
def test_no_query_is_an_error(query: str) -> None:
    for hit in asyncio.run(FRUIT.search(query, 3)):
        assert hit.title in TEXTS


@given(st.sampled_from(sorted({word for text in TEXTS.values() for word in text.split()})), st.integers(1, 20))
def test_every_word_of_a_text_finds_it_and_no_more_than_was_asked_for(word: str, limit: int) -> None:
    hits = found(FRUIT, word, limit)
    assert len(hits) <= limit
    assert set(hits) <= set(TEXTS)
    assert hits == found(FRUIT, word, 20)[:limit]
    assert limit < 5 or {title for title, text in TEXTS.items() if word in text.split()} <= set(hits)


def test_documents_with_all_words_come_first() -> None:
    texts = ["one two three", "one one one one", "two two two two", "three", "one three"]
    search = LocalSearch(
        documents=[Document(url=f"http://h/{n}", text=text, title=text) for n, text in enumerate(texts)]
    )
    assert found(search, "one three", 20)[:2] == ["one three", "one two three"]
    assert sorted(found(search, "one three", 2)) == ["one three", "one two three"]


def test_a_word_of_most_documents_is_left_out_unless_it_is_the_only_one() -> None:
    texts = ["the apple", "the pear", "the plum", "plum"]
    search = LocalSearch(
        documents=[Document(url=f"http://h/{n}", text=text, title=text) for n, text in enumerate(texts)]
    )
    assert found(search, "the plum") == ["plum", "the plum"]
    assert sorted(found(search, "the")) == ["the apple", "the pear", "the plum"]


def test_a_hit_has_the_words_around_the_match_on_one_line() -> None:
    text = f"{'before ' * 100}\n\tthe needle\u2028is\x1b[31m here {'after ' * 100}"
    search = LocalSearch(documents=[Document(url="http://h/a?b#c", text=text)])
    (hit,) = asyncio.run(search.search("needle", 5))
    assert type(hit) is SearchHit
    assert hit.url == "http://h/a?b#c"
    assert "the needle is [31m here" in hit.snippet
    assert hit.snippet.startswith("…")
    assert len(hit.snippet.split()) <= 45


def test_titles_and_snippets_are_bounded() -> None:
    search = LocalSearch(documents=[Document(url="http://h/", title="t" * 1000, text="needle " + "x" * 10_000)])
    (hit,) = asyncio.run(search.search("needle", 5))
    assert len(hit.title) == 256
    assert len(hit.snippet) == 2048


@pytest.mark.parametrize("query", ["x" * 601, "a " * 76, 5, None])
def test_a_query_that_is_none_is_refused_without_being_quoted(query: object) -> None:
    with pytest.raises(InvalidValue, match=r"^query: must") as refusal:
        asyncio.run(FRUIT.search(query, 5))  # type: ignore[arg-type]
    assert "xx" not in str(refusal.value)


def test_a_limit_of_any_size_finds_all_there_is() -> None:
    assert found(FRUIT, "apple", 10**30) == found(FRUIT, "apple", 20)


@pytest.mark.parametrize("limit", [0, -1, True, 1.0, "5"])
def test_a_limit_that_is_none_is_refused(limit: object) -> None:
    with pytest.raises(InvalidValue, match=r"^limit: must"):
        asyncio.run(FRUIT.search("apple", limit))  # type: ignore[arg-type]


def test_the_longest_query_works(write: Callable[..., Path]) -> None:
    words = [f"word{n:03}" for n in range(75)]
    search = LocalSearch(folder=str(write({"a.txt": " ".join(words)})))
    assert found(search, " ".join(words)) == ["a.txt"]
