"""Listing files: all of them or an error."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import FileMissing, FileRefused, PermissionDenied, Sandbox
from ditto_core.sandbox import reading
from ditto_core.sandbox.paths import GivenPath
from tests.support import run


def listed(place: Path, path: str | Path = ".", **limits: int) -> list[str]:
    return run(Sandbox(place, read=True).list_files(path, **limits))


def fill(place: Path, *names: str) -> None:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(name, encoding="utf-8")


@pytest.mark.promise("D-SBX-06")
def test_regular_files_are_listed_from_the_workspace_on_and_sorted(place: Path) -> None:
    fill(place, "b.txt", "a/z.txt", "a/b/c.txt", "a.txt", ".hidden", "Z")
    (place / "empty").mkdir()
    os.mkfifo(place / "pipe")
    assert listed(place) == [".hidden", "Z", "a.txt", "a/b/c.txt", "a/z.txt", "b.txt"]
    assert listed(place, "a") == listed(place, "a/") == listed(place, place / "a") == ["a/b/c.txt", "a/z.txt"]
    assert listed(place, "empty") == []


@pytest.mark.promise("D-SBX-06")
def test_links_are_neither_followed_nor_listed(place: Path) -> None:
    fill(place, "sub/a.txt")
    for name, target in {"up": "..", "self": ".", "file": "sub/a.txt", "out": "../outside", "gone": "no"}.items():
        (place / name).symlink_to(target)
    (place / "sub" / "back").symlink_to("..")
    assert listed(place) == ["sub/a.txt"]
    with pytest.raises(PermissionDenied):
        listed(place, "out")


@pytest.mark.promise("D-SBX-06")
def test_the_folder_itself_may_be_reached_by_a_link_inside(place: Path) -> None:
    fill(place, "sub/a.txt")
    (place / "link").symlink_to("sub")
    assert listed(place, "link") == ["sub/a.txt"]


@pytest.mark.promise("D-SBX-06")
def test_the_limit_counts_all_that_is_met_and_nothing_is_left_out(place: Path) -> None:
    fill(place, "a", "b", "sub/c")
    (place / "link").symlink_to("a")
    assert listed(place, max_entries=5) == ["a", "b", "sub/c"]
    with pytest.raises(FileRefused, match=r"^File '.': it has more than 4 entries") as caught:
        listed(place, max_entries=4)
    assert caught.value.reason == "too_large"
    assert listed(place, "sub", max_entries=1) == ["sub/c"]


@pytest.mark.parametrize("count", [2, 3, 50])
@pytest.mark.promise("D-SBX-06")
def test_one_file_too_many_is_an_error_and_not_left_out(place: Path, count: int) -> None:
    fill(place, *map(str, range(count)))
    assert len(listed(place, max_entries=count)) == count
    with pytest.raises(FileRefused):
        listed(place, max_entries=count - 1)


@pytest.mark.promise("D-SBX-06")
def test_what_is_no_folder_is_refused(place: Path) -> None:
    fill(place, "a.txt")
    os.mkfifo(place / "pipe")
    for path in ("a.txt", "pipe", "a.txt/x"):
        with pytest.raises(FileRefused) as caught:
            listed(place, path)
        assert caught.value.reason == "not_a_folder"
    with pytest.raises(FileMissing):
        listed(place, "nothing")
    with pytest.raises(FileMissing):
        listed(place / "nothing")
    with pytest.raises(FileRefused) as caught:
        listed(place / "a.txt")
    assert caught.value.reason == "not_a_folder"


@pytest.mark.promise("D-SBX-06")
def test_a_name_that_is_not_utf8_is_listed_readably_and_can_be_opened(place: Path) -> None:
    raw = [b"caf\xe9.txt", b"caf\\xe9.txt", "café.txt".encode(), b"line\nbreak", b"\xff\\x5c"]
    for data in raw:
        (place / os.fsdecode(data)).write_bytes(data.hex().encode())
    found = listed(place)
    assert len(set(found)) == len(raw)
    assert "caf\\xe9.txt" in found
    assert json.dumps(found, ensure_ascii=False).encode()
    sandbox = Sandbox(place, read=True, write=True)
    assert {run(sandbox.read_text(name)) for name in found} == {data.hex() for data in raw}
    for name in found:
        run(sandbox.write_text(name, "new"))
    assert listed(place) == found


PARTS = st.sampled_from(["a", "b", "c d", "é", "\\x41", "-", "..x"])


@given(st.sets(st.lists(PARTS, min_size=1, max_size=4).map("/".join), max_size=8))
@pytest.mark.promise("D-SBX-06")
def test_every_file_is_listed_once_under_the_name_that_reads_it(
    tmp_path_factory: pytest.TempPathFactory, wanted: set[str]
) -> None:
    place = tmp_path_factory.mktemp("place")
    names = {name for name in wanted if not any(other.startswith(f"{name}/") for other in wanted)}
    fill(place, *names)
    found = listed(place)
    assert found == sorted(names)
    assert [run(Sandbox(place, read=True).read_text(name)) for name in found] == found


@pytest.mark.promise("D-SBX-06")
def test_a_folder_removed_meanwhile_is_not_there_and_one_replaced_by_a_link_is_not_entered(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(place, "a.txt", "sub/b.txt")
    entries = reading._entries

    def after_a_change(root: str, path: GivenPath, parts: tuple[str, ...], most: int) -> object:
        if parts:
            (place / "sub").rename(place.parent / "moved")
            if replaced:
                (place / "sub").symlink_to("../outside")
        return entries(root, path, parts, most)

    monkeypatch.setattr(reading, "_entries", after_a_change)
    replaced = False
    assert listed(place) == ["a.txt"]
    (place.parent / "moved").rename(place / "sub")
    replaced = True
    with pytest.raises(FileRefused, match=r"^File 'sub': "):
        listed(place)


@contextmanager
def few_descriptors(spare: int) -> Iterator[None]:
    """Let the process open only so many more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(path.name) for path in Path("/dev/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + spare, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_deep_tree_needs_no_more_descriptors_than_a_flat_one(place: Path) -> None:
    name = "d/" * 200 + "a.txt"
    fill(place, name)
    with few_descriptors(20):
        assert listed(place) == [name]
        assert run(Sandbox(place, read=True).read_text(name)) == name
