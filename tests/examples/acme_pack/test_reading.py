"""`read_text`: lines as they are, and metadata that say what is not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from acme_pack import AcmePack
from ditto_core import PermissionDenied


def test_the_text_is_given_as_it_is(call: Any) -> None:
    result = call("read_text", path="notes.txt")
    assert result.content == "one\ntwo\r\nthree"
    assert result.metadata == {
        "path": "notes.txt",
        "start_line": 1,
        "lines": 3,
        "total_lines": 3,
        "truncated": False,
    }


@pytest.mark.parametrize(
    ("start", "most", "content", "truncated"),
    [
        (1, 1, "one\n", True),
        (2, 1, "two\r\n", True),
        (2, 2, "two\r\nthree", False),
        (3, 5, "three", False),
        (4, 1, "", False),
    ],
)
def test_a_part_says_whether_lines_follow(call: Any, start: int, most: int, content: str, truncated: bool) -> None:
    result = call("read_text", path="notes.txt", start_line=start, max_lines=most)
    assert (result.content, result.metadata["truncated"]) == (content, truncated)
    assert result.metadata["total_lines"] == 3


@pytest.mark.parametrize("pack", [AcmePack(max_lines=2)])
def test_the_packs_own_limit_holds_without_arguments(call: Any) -> None:
    result = call("read_text", path="notes.txt")
    assert (result.content, result.metadata["truncated"]) == ("one\ntwo\r\n", True)


def test_only_a_newline_ends_a_line(call: Any, workspace: Path) -> None:
    text = "a\x0bb\x0cc\x1cd\x85e\u2028f\rg\n"
    (workspace / "ends.txt").write_text(text, encoding="utf-8", newline="")
    result = call("read_text", path="ends.txt")
    assert (result.content, result.metadata["total_lines"]) == (text, 1)


def test_an_empty_file_is_empty(call: Any) -> None:
    result = call("read_text", path="empty.txt")
    assert (result.status, result.content, result.metadata["total_lines"]) == ("success", "", 0)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("absent", "FILE_MISSING"),
        ("src", "FILE_NOT_A_FILE"),
        ("pipe", "FILE_NOT_A_FILE"),
        ("notes.txt/x", "FILE_NOT_A_FOLDER"),
        ("logo.png", "FILE_NOT_TEXT"),
        ("a\0b", "FILE_INVALID_PATH"),
        ("x" * 300, "FILE_SYSTEM"),
    ],
)
def test_what_cannot_be_read_is_a_failure(call: Any, workspace: Path, path: str, code: str) -> None:
    os.mkfifo(workspace / "pipe")
    result = call("read_text", path=path)
    assert (result.status, result.error.code) == ("failed", code)
    assert str(workspace) not in result.error.message


@pytest.mark.parametrize("pack", [AcmePack(max_file_bytes=13)])
def test_a_file_over_the_limit_is_a_failure(call: Any) -> None:
    assert call("read_text", path="notes.txt").error.code == "FILE_TOO_LARGE"
    assert call("read_text", path="src/deep/more.py").status == "success"


def test_a_message_with_an_unsafe_name_is_replaced(call: Any) -> None:
    result = call("read_text", path="password=hunter2")
    assert (result.error.code, result.error.message) == ("FILE_MISSING", "The file cannot be used.")


def test_a_link_out_of_the_workspace_is_refused(call: Any, workspace: Path) -> None:
    (workspace / "out").symlink_to("/etc/passwd")
    with pytest.raises(PermissionDenied):
        call("read_text", path="out")
