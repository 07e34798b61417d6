"""Which files of a folder are indexed, under which title and URL, and what is said of those that are not."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, SearchHit
from ditto_core.web_search.urls import is_plain_url
from ditto_local_search import IndexReport, LocalSearch
from ditto_local_search.addresses import address
from ditto_local_search.documents import heading

Write = Callable[[dict[str, str | bytes]], Path]


def report_of(folder: Path, **options: object) -> IndexReport:
    return asyncio.run(LocalSearch(folder=str(folder), **options).refresh())  # type: ignore[arg-type]


def hits_of(folder: Path, query: str, **options: object) -> list[SearchHit]:
    return asyncio.run(LocalSearch(folder=str(folder), **options).search(query, 20))  # type: ignore[arg-type]


def test_text_files_below_the_folder_are_found(write: Write) -> None:
    folder = write({"a.md": "needle", "sub/deep/b.RST": "needle", "c.txt": "needle", "d.py": "needle", "e": "needle"})
    assert [hit.url for hit in hits_of(folder, "needle")] == [
        "http://documents.invalid/a.md",
        "http://documents.invalid/c.txt",
        "http://documents.invalid/sub/deep/b.RST",
    ]
    assert [hit.title for hit in hits_of(folder, "needle", suffixes=(".py",))] == ["d.py"]


def test_hidden_ones_and_links_are_passed_over(write: Write, tmp_path: Path) -> None:
    folder = write({"a.md": "needle", ".hidden.md": "needle", ".git/b.md": "needle"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("needle", encoding="utf-8")
    (folder / "out").symlink_to(outside)
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "circle").symlink_to(folder)
    os.mkfifo(folder / "pipe.md")
    assert report_of(folder) == IndexReport(documents=1)


def test_what_is_skipped_is_counted_and_fails_nothing(write: Write) -> None:
    folder = write(
        {
            "a.md": "needle",
            "bom.md": b"\xef\xbb\xbfneedle",
            "binary.md": b"needle\0",
            "latin.md": b"needle \xe9",
            "utf16.md": "needle".encode("utf-16"),
            "large.md": "needle" * 100,
            "closed/b.md": "needle",
        }
    )
    (folder / "closed").chmod(0)
    try:
        found = report_of(folder, max_file_bytes=100)
    finally:
        (folder / "closed").chmod(0o700)
    unreadable = {} if os.geteuid() == 0 else {"unreadable": 1}
    documents = 3 if os.geteuid() == 0 else 2
    assert found == IndexReport(documents=documents, skipped={"not_text": 3, "too_large": 1, **unreadable})


@pytest.mark.parametrize(("options", "documents"), [({"max_files": 2}, 2), ({"max_total_bytes": 13}, 2)])
def test_the_first_files_by_name_are_taken_and_those_over_a_limit_counted(
    write: Write, options: dict[str, int], documents: int
) -> None:
    folder = write({f"{name}.md": "needle" for name in "cabd"})
    assert report_of(folder, **options) == IndexReport(documents=documents, skipped={"over_limit": 2})
    assert [hit.title for hit in hits_of(folder, "needle", **options)] == ["a.md", "b.md"]


def test_folders_that_are_too_deep_are_counted(write: Write) -> None:
    folder = write({"/".join(["d"] * 64 + ["a.md"]): "needle", "/".join(["d"] * 65 + ["b.md"]): "needle"})
    assert report_of(folder) == IndexReport(documents=1, skipped={"over_limit": 1})


def test_a_folder_without_documents_is_an_empty_index(write: Write) -> None:
    assert report_of(write({})) == IndexReport(documents=0)
    assert hits_of(write({}), "needle") == []


@pytest.mark.parametrize("name", ["missing", "file.md", "file.md/x", "x" * 300])
def test_a_folder_that_cannot_be_listed_is_an_error_without_its_path(write: Write, name: str) -> None:
    folder = write({"file.md": "needle"})
    with pytest.raises(InvalidValue, match=r"^LocalSearch.folder: cannot be listed \(E") as refusal:
        report_of(folder / name)
    assert str(folder) not in str(refusal.value)
    assert refusal.value.__context__ is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One\n\ntext", "One"),
        ("\n\n  ## Two ##\ntext", "Two"),
        ("Three\n=====\n", "Three"),
        (".. comment\n\n=====\nFour\n=====\n", "Four"),
        ("---\ntitle: no\n---\n# Five", "Five"),
        ("```\n# a comment\n```\n# Six", "Six"),
        ("#hashtag\n\ntext", "a.md"),
        ("text only", "a.md"),
        ("=====\n", "a.md"),
        ("#\n# \n", "a.md"),
    ],
)
def test_the_title_is_the_first_heading_or_the_name_of_the_file(write: Write, text: str, title: str) -> None:
    (hit,) = hits_of(write({"a.md": text + "\n\nneedle"}), "needle")
    assert hit.title == title


@given(st.text())
def test_any_text_has_a_heading_of_one_line_or_none(text: str) -> None:
    assert len(heading(text).splitlines()) <= 1


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1).filter(lambda text: len(text) < 600))
def test_the_address_of_a_path_is_a_plain_url_from_which_the_path_can_be_read(path: str) -> None:
    url = address("https://h.example/docs/", path)
    assert is_plain_url(url)
    assert unquote_to_bytes(url.removeprefix("https://h.example/docs/")) == os.fsencode(path)


def test_names_that_are_no_text_are_found_too(write: Write) -> None:
    folder = write({})
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9 #1.md")).write_text("needle", encoding="utf-8")
    (hit,) = hits_of(folder, "needle")
    assert hit.url == "http://documents.invalid/caf%E9%20%231.md"
    assert hit.title == "caf\ufffd #1.md"


@pytest.mark.parametrize("inside", [" " * 19_000, "#" * 19_000, " #" * 9_500, "# " * 9_500])
def test_the_heading_of_a_long_line_is_found_in_time_that_grows_as_it_does(inside: str) -> None:
    begun = time.process_time()
    assert heading(f"# a{inside}b") == f"a{inside}b"
    assert time.process_time() - begun < 1


def test_a_folder_that_becomes_a_link_meanwhile_is_not_followed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write({"a.md": "needle", "sub/b.md": "needle", "sub/deep/c.md": "needle"})
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "b.md").write_text("needle", encoding="utf-8")
    scandir = os.scandir
    listed = []

    def changing(place: int) -> object:
        listed.append(place)
        if len(listed) == 2:  # the first was the folder itself
            (folder / "sub").rename(folder / ".old")
            (folder / "sub").symlink_to(outside)
        return scandir(place)

    monkeypatch.setattr(os, "scandir", changing)
    held = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    assert report_of(folder) == IndexReport(documents=2, skipped={"unreadable": 1})
    assert len(os.listdir("/proc/self/fd")) == held  # noqa: PTH208
