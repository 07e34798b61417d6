"""What may be asked: a query of one line and a limit, by one rule in the schema and in the check."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ditto_core import InvalidArguments, InvalidValue, web_search_tool
from tests.support.arguments import HOSTILE, oracle
from tests.support.near_schema import neighbours
from tests.support.searching import Searching, search

TOOL = web_search_tool(Searching())
BLANKS = "\t \u00a0\u1680\u2003\u202f\u205f\u3000"
queries = st.text(st.sampled_from(f"ab.é😀{BLANKS}\u200b\ufeff"), max_size=12) | st.builds(
    " ".join, st.lists(st.sampled_from(["a", "bc", "é"]), min_size=73, max_size=77)
)


def refusal(arguments: Any) -> InvalidValue | None:
    try:
        TOOL.validate(copy.deepcopy(arguments))
    except InvalidValue as error:
        return error
    return None


def words(count: int) -> str:
    return " ".join(["word"] * count)


@pytest.mark.parametrize("query", ["x", "x" * 600, words(75), " x ", "a\tb", "é" * 600, "😀" * 600, "a\ufeffb"])
@pytest.mark.promise("WEB-01", "WEB-02")
def test_a_query_of_one_line_reaches_the_provider_without_blanks_at_its_ends(query: str) -> None:
    provider = Searching()
    assert search(provider, query=query).status == "success"
    assert provider.asked == [(query.strip(), 5)]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "must not be blank"),
        (" \u3000\t", "must not be blank"),
        ("x" * 601, "has 601 characters, and 600 are allowed"),
        ("x" * 600 + " ", "has 601 characters"),
        (words(76), "has 76 words, and 75 are allowed"),
        *((f"a{end}b", "must be one line") for end in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\0\x1b\x7f\x9f"),
        ("a\n", "must be one line"),
        ("\na", "must be one line"),
    ],
)
@pytest.mark.promise("WEB-02")
def test_any_other_query_is_refused_and_the_provider_not_asked(query: str, said: str) -> None:
    provider = Searching()
    with pytest.raises(InvalidArguments, match=said):
        search(provider, query=query)
    assert provider.asked == []


@pytest.mark.parametrize("limit", [1, 20])
@pytest.mark.promise("WEB-03")
def test_a_limit_that_is_in_reach_is_asked_for(limit: int) -> None:
    provider = Searching()
    assert search(provider, limit=limit).status == "success"
    assert [asked for _, asked in provider.asked] == [limit]


@pytest.mark.parametrize("limit", [0, 21, -1, True, "5", 2.5, 5.0, None, [5], 10**400])
@pytest.mark.promise("WEB-03")
@pytest.mark.case("TOOL-05b")
def test_any_other_limit_is_refused_and_the_provider_not_asked(limit: Any) -> None:
    provider = Searching()
    with pytest.raises(InvalidArguments, match="limit"):
        search(provider, limit=limit)
    assert provider.asked == []


@pytest.mark.case("TOOL-05b")
def test_nothing_else_may_be_given() -> None:
    with pytest.raises(InvalidArguments, match="query and limit only"):
        search(Searching(), freshness="day")
    assert "query: is required" in str(refusal({}))


@pytest.mark.parametrize("query", HOSTILE)
def test_a_query_is_a_string(query: Any) -> None:
    assert (refusal({"query": query}) is None) == (type(query) is str and query.strip() != "" and "\n" not in query)


@given(queries, st.integers(-1, 22))
@example(words(75), 20)
@example(words(76), 20)
@example("x" * 600, 1)
@example("x" * 601, 1)
@pytest.mark.promise("WEB-01", "WEB-02", "WEB-03")
def test_the_schema_and_the_check_agree_on_arguments_and_all_their_neighbours(query: str, limit: int) -> None:
    fits = oracle(TOOL.input_schema)
    for value in ({"query": query, "limit": limit}, {"query": query}, *neighbours({"query": query, "limit": limit})):
        if type(value) is dict:  # a registry lets nothing else reach a tool
            assert fits(value) == (refusal(value) is None), value


@given(queries, st.sampled_from([0, 21, "x"]))
def test_a_refusal_repeats_nothing_of_the_query(query: str, limit: Any) -> None:
    secret = f"{query}s3cret{'-' * 600}"
    assert "s3cret" not in str(refusal({"query": secret}))
    assert "s3cret" not in str(refusal({"query": "s3cret", "limit": limit}))
