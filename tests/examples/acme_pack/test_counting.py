"""`count_lines`: files and lines by suffix, and what could not be counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acme_pack import AcmePack


def test_files_and_lines_are_counted_by_suffix(call: Any) -> None:
    assert call("count_lines").structured_content == {
        "suffixes": [
            {"suffix": ".txt", "files": 2, "lines": 3},
            {"suffix": ".py", "files": 2, "lines": 3},
        ],
        "files": 4,
        "lines": 6,
        "truncated": False,
        "unread": [{"path": "logo.png", "code": "FILE_NOT_TEXT"}],
        "unread_total": 1,
        "left_out": [".git"],
    }


def test_a_name_without_a_suffix_has_an_empty_one(call: Any, workspace: Path) -> None:
    (workspace / "src/deep/.hidden").write_text("a\nb", encoding="utf-8")
    (workspace / "src/deep/Makefile").write_text("a\n", encoding="utf-8")
    rows = call("count_lines", path="src/deep").structured_content["suffixes"]
    assert rows[0] == {"suffix": "", "files": 2, "lines": 3}


@pytest.mark.parametrize("pack", [AcmePack(max_files=2)])
def test_more_files_than_the_limit_are_said(call: Any) -> None:
    found = call("count_lines").structured_content
    assert (found["files"] + found["unread_total"], found["truncated"]) == (2, True)


def test_more_suffixes_than_are_named_are_said(call: Any, workspace: Path) -> None:
    for number in range(101):
        (workspace / f"src/file.{number}").write_text("line\n", encoding="utf-8")
    found = call("count_lines", path="src").structured_content
    assert (len(found["suffixes"]), found["lines"], found["truncated"]) == (100, 104, True)
