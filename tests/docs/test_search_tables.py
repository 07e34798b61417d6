"""The page about web search says what the tool says."""

from __future__ import annotations

from typing import Any

import pytest

from ditto_core import web_search_tool
from ditto_core.web_search import arguments, hits, urls
from tests.docs.pages import page, rows, span
from tests.support.searching import Searching, search

PAGE = page("web-search.md")


@pytest.mark.promise("D-QUAL-07", "WEB-02", "WEB-03")
def test_the_table_of_arguments_equals_the_schema() -> None:
    properties: Any = web_search_tool(Searching()).input_schema["properties"]
    told = {span(name): text for name, text in rows(PAGE, "argument", "what it takes")}
    assert list(told) == list(properties)
    assert f"1 to {arguments.MAX_QUERY} characters and at most {arguments.MAX_WORDS} words" in told["query"]
    assert f"1 to {arguments.MAX_LIMIT}, {arguments.DEFAULT_LIMIT} when it is left out" in told["limit"]


@pytest.mark.promise("D-QUAL-07", "WEB-04")
def test_the_table_of_keys_equals_a_result() -> None:
    content: Any = search(Searching()).structured_content
    assert [span(key) for key, _ in rows(PAGE, "key", "what it holds")] == list(content)


@pytest.mark.promise("D-QUAL-07", "WEB-05", "WEB-06")
def test_the_limits_in_the_text_are_those_of_the_code() -> None:
    text = " ".join(PAGE.split())
    assert f"cut after {hits.MAX_TITLE} characters and a snippet after {hits.MAX_SNIPPET:,}" in text
    assert f"at most {urls.MAX_URL:,} characters" in text
