"""What a provider is made of: refused when it is made, readable from a configuration, silent about documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, load_config, load_plugin
from ditto_core.web_search.urls import is_plain_url
from ditto_local_search import Document, LocalSearch
from ditto_local_search.addresses import check_url

DOCUMENT = Document(url="http://h/", text="secret text")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({}, "folder"),
        ({"documents": []}, "folder"),
        ({"folder": ""}, "folder"),
        ({"folder": 5}, "folder"),
        ({"folder": b"docs"}, "folder"),
        ({"folder": Path("docs")}, "folder"),
        ({"folder": "a\0"}, "folder"),
        ({"index_file": ""}, "index_file"),
        ({"documents": "text"}, "documents"),
        ({"documents": [5]}, "documents"),
        ({"documents": DOCUMENT}, None),
        ({"documents": 5}, "documents"),
        ({"base_url": "http://h"}, "base_url"),
        ({"base_url": "http://h/?q=/"}, "base_url"),
        ({"base_url": "http://h/#/"}, "base_url"),
        ({"base_url": "file:///docs/"}, "base_url"),
        ({"base_url": "http://user:pw@h/"}, "base_url"),
        ({"base_url": "http://h:99999/"}, "base_url"),
        ({"base_url": None}, "base_url"),
        ({"suffixes": ()}, "suffixes"),
        ({"suffixes": ".md"}, "suffixes"),
        ({"suffixes": ("md",)}, "suffixes"),
        ({"max_files": 0}, "max_files"),
        ({"max_files": True}, "max_files"),
        ({"max_file_bytes": 16_777_217}, "max_file_bytes"),
        ({"max_total_bytes": 1.0}, "max_total_bytes"),
    ],
)
def test_bad_options_are_refused_when_it_is_made(options: dict[str, Any], field: str | None) -> None:
    given = options if options.keys() & {"folder", "documents"} or not options else {"folder": "docs", **options}
    if field is None:
        assert LocalSearch(**given).documents == (DOCUMENT,)
        return
    with pytest.raises(InvalidValue, match=rf"^LocalSearch.{field}: ") as refusal:
        LocalSearch(**given)
    assert "user:pw" not in str(refusal.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [("url", "ftp://h/"), ("url", "http://h/ä"), ("url", None), ("text", 5), ("text", "\ud800"), ("title", "\udfff")],
)
def test_a_bad_document_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidValue, match=rf"^Document.{field}: ") as refusal:
        Document(**{"url": "http://h/", "text": "t", field: value})
    assert refusal.value.__context__ is None


@given(st.from_regex(r"[hH]ttps?://[a-z@.:\[\]0-9-]{0,9}[/?#]?.{0,9}", fullmatch=True) | st.text())
def test_a_url_that_is_taken_is_one_that_results_may_have(url: str) -> None:
    try:
        check_url(url, "url")
    except InvalidValue:
        return
    assert is_plain_url(url)


def test_it_opens_no_connection_and_says_nothing_of_its_documents() -> None:
    search = LocalSearch(documents=[DOCUMENT])
    assert search.origin is None
    assert "secret" not in repr(search)


def test_it_is_loaded_by_name_with_options_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ditto.yaml"
    file.write_text("plugins: {local_search: {folder: docs, suffixes: [.md], maxFiles: 7}}", encoding="utf-8")
    search = load_plugin("local_search", config=load_config(file, {}))
    assert type(search) is LocalSearch
    assert (search.folder, search.suffixes, search.max_files) == ("docs", (".md",), 7)
