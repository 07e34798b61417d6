"""`search_text`: what matches, where is looked, and what is said when something was cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acme_pack import AcmePack
from acme_pack.files import MAX_LISTED_BYTES
from ditto_core import InvalidArguments, PermissionDenied


def places(result: Any) -> list[str]:
    """Give the matches as text."""
    return [f"{match['path']}:{match['line']}:{match['text']}" for match in result.structured_content["matches"]]


def test_a_text_is_found_in_every_file(call: Any) -> None:
    result = call("search_text", pattern="one")
    assert places(result) == ["notes.txt:1:one", "src/deep/more.py:1:# one more"]
    assert {**result.structured_content, "matches": []} == {
        "matches": [],
        "truncated": False,
        "searched": 4,
        "unread": [{"path": "logo.png", "code": "FILE_NOT_TEXT"}],
        "unread_total": 1,
        "left_out": [".git"],
    }


def test_a_text_is_no_expression(call: Any, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("a.c\nabc\n(a+)+$\n", encoding="utf-8")
    assert places(call("search_text", pattern="a.c")) == ["notes.txt:1:a.c"]
    assert places(call("search_text", pattern="(a+)+$")) == ["notes.txt:3:(a+)+$"]


def test_case_can_be_ignored(call: Any) -> None:
    for regex in (False, True):
        found = places(call("search_text", pattern="ONE", ignore_case=True, regex=regex, suffix=".py"))
        assert found == ["src/deep/more.py:1:# one more", "src/main.py:2:print('One')"]


def test_an_expression_sees_lines_without_their_ends(call: Any) -> None:
    result = call("search_text", pattern="^t[a-z]+$", regex=True)
    assert places(result) == ["notes.txt:2:two", "notes.txt:3:three"]


def test_paths_may_be_files_and_folders_and_overlap(call: Any) -> None:
    result = call("search_text", pattern="one", paths=["notes.txt", "src", "src/deep", "notes.txt"])
    assert places(result) == ["notes.txt:1:one", "src/deep/more.py:1:# one more"]


@pytest.mark.parametrize(("most", "found", "truncated"), [(1, 1, True), (2, 2, False), (3, 2, False)])
def test_the_limit_is_said_when_it_cuts(call: Any, most: int, found: int, truncated: bool) -> None:
    result = call("search_text", pattern="one", max_matches=most)
    assert (len(places(result)), result.structured_content["truncated"]) == (found, truncated)


@pytest.mark.usefixtures("long_names")
def test_long_paths_are_a_limit_too(call: Any) -> None:
    found = call("search_text", pattern="one", paths=["é" * 120]).structured_content
    assert found["truncated"] is True
    assert sum(len(match["path"].encode()) for match in found["matches"]) <= MAX_LISTED_BYTES


@pytest.mark.parametrize("pack", [AcmePack(max_matches=1)])
def test_the_packs_own_limit_holds_whatever_is_asked(call: Any) -> None:
    result = call("search_text", pattern="one", max_matches=100)
    assert (len(places(result)), result.structured_content["truncated"]) == (1, True)


@pytest.mark.parametrize("pack", [AcmePack(max_files=1)])
def test_more_files_than_the_limit_are_said(call: Any) -> None:
    found = call("search_text", pattern="one").structured_content
    assert (found["searched"], found["truncated"]) == (1, True)


def test_a_long_line_is_cut_and_says_so(call: Any, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("x" * 300 + "\n" + "x" * 301 + "\n", encoding="utf-8")
    matches = call("search_text", pattern="xx").structured_content["matches"]
    assert [(len(match["text"]), match["cut"]) for match in matches] == [(300, False), (300, True)]


def test_a_search_that_could_read_nothing_fails(call: Any) -> None:
    assert call("search_text", pattern="one", paths=["logo.png"]).error.code == "FILE_NOT_TEXT"
    assert call("search_text", pattern="one", paths=["absent"]).error.code == "FILE_MISSING"


def test_a_path_that_cannot_be_used_is_told_of_beside_the_others(call: Any) -> None:
    found = call("search_text", pattern="one", paths=["absent", "notes.txt"]).structured_content
    assert (len(found["matches"]), found["unread"]) == (1, [{"path": "absent", "code": "FILE_MISSING"}])


def test_a_path_that_leads_out_is_refused(call: Any) -> None:
    with pytest.raises(PermissionDenied):
        call("search_text", pattern="root", paths=["notes.txt", "/etc"])


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"pattern": ""},
        {"pattern": "x" * 201},
        {"pattern": "(a+)+$", "regex": True},
        {"pattern": "[", "regex": True},
        {"pattern": "one", "paths": []},
        {"pattern": "one", "paths": "notes.txt"},
        {"pattern": "one", "max_matches": 0},
    ],
)
def test_wrong_arguments_are_refused(call: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments):
        call("search_text", **arguments)


def test_an_expression_that_is_refused_is_explained(call: Any) -> None:
    with pytest.raises(InvalidArguments, match=r"the pattern has '\(' at position 1.* no groups"):
        call("search_text", pattern="(a+)+$", regex=True)
