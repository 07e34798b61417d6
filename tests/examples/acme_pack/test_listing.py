"""`list_files`: what is listed, what is left out, and that both are said."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acme_pack import AcmePack
from acme_pack.files import MAX_LISTED_BYTES, within_bytes
from ditto_core import InvalidArguments, PermissionDenied

EVERYTHING = ["empty.txt", "logo.png", "notes.txt", "src/deep/more.py", "src/main.py"]


def test_files_are_sorted_and_left_out_folders_are_named(call: Any) -> None:
    assert call("list_files").structured_content == {
        "files": EVERYTHING,
        "total": 5,
        "truncated": False,
        "left_out": [".git"],
    }


def test_a_suffix_chooses(call: Any) -> None:
    assert call("list_files", suffix=".py").structured_content["files"] == ["src/deep/more.py", "src/main.py"]


@pytest.mark.parametrize(("limit", "truncated"), [(4, True), (5, False), (6, False)])
def test_the_limit_is_said_when_it_cuts(call: Any, limit: int, truncated: bool) -> None:
    found = call("list_files", limit=limit).structured_content
    assert (found["files"], found["total"], found["truncated"]) == (EVERYTHING[:limit], 5, truncated)


@pytest.mark.usefixtures("long_names")
def test_long_names_are_cut_and_that_is_said(call: Any) -> None:
    found = call("list_files", path="é" * 120).structured_content
    names = found["files"]
    assert found["total"] == 300
    assert found["truncated"] is True
    assert names == sorted(names)
    assert 520_000 < sum(len(name.encode()) for name in names) <= MAX_LISTED_BYTES


@given(st.lists(st.text(max_size=5).map(lambda text: text * 30_000), max_size=12))
def test_as_many_entries_as_fit_are_taken(entries: list[str]) -> None:
    count = within_bytes(entries)
    sizes = [len(entry.encode()) for entry in entries]
    assert sum(sizes[:count]) <= MAX_LISTED_BYTES
    assert count == len(entries) or sum(sizes[: count + 1]) > MAX_LISTED_BYTES


def test_a_folder_that_is_named_itself_is_looked_into(call: Any) -> None:
    assert call("list_files", path=".git").structured_content["files"] == [".git/HEAD"]


@pytest.mark.parametrize("path", [".git", "link", "./src/../.git/"])
def test_only_what_lies_below_the_path_is_judged(call: Any, workspace: Path, path: str) -> None:
    (workspace / ".git/node_modules").mkdir()
    (workspace / ".git/node_modules/left.js").touch()
    (workspace / "link").symlink_to(".git")
    found = call("list_files", path=path).structured_content
    assert (found["files"], found["left_out"]) == ([".git/HEAD"], ["node_modules"])


@pytest.mark.parametrize("pack", [AcmePack(skip={"src"})])
def test_the_application_chooses_what_is_left_out(call: Any) -> None:
    found = call("list_files").structured_content
    assert (found["total"], found["left_out"]) == (4, ["src"])


@pytest.mark.parametrize(
    ("path", "code"),
    [("absent", "FILE_MISSING"), ("notes.txt", "FILE_NOT_A_FOLDER"), ("", "FILE_INVALID_PATH")],
)
def test_what_is_no_folder_is_a_failure(call: Any, path: str, code: str) -> None:
    result = call("list_files", path=path)
    assert (result.status, result.error.code) == ("failed", code)


@pytest.mark.parametrize("pack", [AcmePack(max_entries=3)])
def test_a_folder_with_too_much_in_it_is_a_failure(call: Any) -> None:
    assert call("list_files").error.code == "FILE_TOO_LARGE"


def test_a_path_that_leads_out_is_refused(call: Any) -> None:
    with pytest.raises(PermissionDenied):
        call("list_files", path="..")


def test_wrong_arguments_are_refused(call: Any) -> None:
    for arguments in ({"limit": 0}, {"limit": 10_001}, {"limit": True}, {"path": None}, {"depth": 1}):
        with pytest.raises(InvalidArguments):
            call("list_files", **arguments)


def test_every_name_that_is_listed_can_be_read(call: Any, workspace: Path) -> None:
    names = [
        b"a b [c]*?.txt",
        b"-rf",
        b"line\nbreak\t",
        b"latin \xe9",
        rb"back\xff",
        "snow ☃".encode(),
        b"password=x1y2z3",
    ]
    for name in names:
        Path(os.fsdecode(bytes(workspace) + b"/" + name)).write_bytes(name if b"\xe9" not in name else b"latin")
    os.mkfifo(workspace / "pipe")
    listed = set(call("list_files").structured_content["files"]) - set(EVERYTHING)
    assert len(listed) == len(names)
    for name in listed:
        assert call("read_text", path=name).status == "success"
