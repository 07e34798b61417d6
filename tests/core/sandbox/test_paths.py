"""Where paths lead: never out of the workspace."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import FileRefused, InvalidValue, PermissionDenied, Sandbox
from ditto_core.sandbox.paths import MAX_PATH_BYTES
from tests.support import run

LINKS = {
    "in": "sub/deep",
    "file": "sub/a.txt",
    "up": "..",
    "out": "../outside",
    "secret": "../outside/secret.txt",
    "root": "/",
    "dangling": "sub/nothing",
    "astray": "../outside/nothing",
    "loop": "loop",
    "ping": "pong",
    "pong": "ping/x",
    "sub/back": "..",
    "sub/deep/far": "../../../outside",
    "chain": "in/far",
}
SEGMENTS = [
    *LINKS,
    "sub",
    "deep",
    "a.txt",
    "far",
    "back",
    "outside",
    "secret.txt",
    "place",
    "nothing",
    ".",
    "..",
    "...",
    "",
    "..a",
    "~",
    "\\xe9",
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("tree").resolve()
    (base / "place" / "sub" / "deep").mkdir(parents=True)
    (base / "place" / "sub" / "a.txt").touch()
    (base / "outside").mkdir()
    (base / "outside" / "secret.txt").touch()
    (base / "place2").mkdir()
    for name, target in LINKS.items():
        (base / "place" / name).symlink_to(target)
    return base / "place"


def inodes(folder: Path) -> set[tuple[int, int]]:
    """Return the identities of everything in the folder, no link followed: what a path may lead to."""
    found = {(folder.stat().st_dev, folder.stat().st_ino)}
    for above, folders, names in os.walk(folder):
        found |= {(s.st_dev, s.st_ino) for s in (Path(above, name).lstat() for name in (*folders, *names))}
    return found


paths = st.one_of(
    st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=7).map("/".join),
    st.lists(st.sampled_from(SEGMENTS) | st.text(max_size=5), min_size=1, max_size=5).map("/".join),
    st.text(max_size=20),
)


@given(path=paths, start=st.sampled_from(["", "/", "the workspace", "the folder above"]))
@pytest.mark.promise("D-SBX-05")
def test_no_path_leads_out_of_the_workspace(tree: Path, path: str, start: str) -> None:
    path = {"the workspace": f"{tree}/", "the folder above": f"{tree.parent}/"}.get(start, start) + path
    sandbox = Sandbox(tree)
    try:
        found = sandbox.resolve(path)
    except PermissionDenied:
        assert identity(tree, path) not in inodes(tree)
        return
    except FileRefused:  # no path at all, or links in a circle
        assert not path or identity(tree, path) is None
        return
    assert found == tree or found.is_relative_to(tree)
    assert os.path.realpath(found) == str(found)
    # The system, asked directly, is where the sandbox says, or cannot be there at all.
    assert identity(tree, path) in {None, identity(tree, str(found))}
    assert identity(tree, str(found)) in {None, *inodes(tree)}


def identity(tree: Path, path: str) -> tuple[int, int] | None:
    """Return what the operating system finds there."""
    try:
        # As it is written: a Path would have dropped a "/." at its end.
        status = os.stat(path if path.startswith("/") else f"{tree}/{path}")  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../outside",
        "../place2",
        "/",
        "/etc/hostname",
        "//etc",
        "sub/../..",
        "up",
        "out",
        "out/x",
        "secret",
        "root",
        "root/etc",
        "astray",
        "sub/deep/far",
        "chain",
        "chain/new.txt",
        "sub/back/up",
        "nothing/../../x",
        "loop/../../x",
        "in/../../..",
    ],
)
@pytest.mark.promise("D-SBX-05")
def test_a_path_that_leaves_is_refused(tree: Path, path: str) -> None:
    with pytest.raises(PermissionDenied, match=r"^File .*: the path leads out of the workspace") as caught:
        Sandbox(tree).resolve(path)
    assert str(tree) not in str(caught.value)
    assert "hostname" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (".", ""),
        ("sub/a.txt", "sub/a.txt"),
        ("./sub//deep/", "sub/deep"),
        ("sub/../sub/a.txt", "sub/a.txt"),
        ("in", "sub/deep"),
        ("file", "sub/a.txt"),
        ("in/../a.txt", "sub/a.txt"),
        ("in/new.txt", "sub/deep/new.txt"),
        ("dangling", "sub/nothing"),
        ("sub/back/sub/a.txt", "sub/a.txt"),
        ("../place/sub", "sub"),
        ("..a", "..a"),
        ("...", "..."),
        ("~", "~"),
        (" a ", " a "),
        ("[x]/{y}*?.txt", "[x]/{y}*?.txt"),
        ("C:\\x", "C:\\x"),
        ("-rf", "-rf"),
        (PurePosixPath("sub/a.txt"), "sub/a.txt"),
    ],
)
@pytest.mark.promise("D-SBX-05")
def test_a_path_that_stays_leads_where_it_says(tree: Path, path: Any, place: str) -> None:
    assert Sandbox(tree).resolve(path) == tree / place
    assert Sandbox(tree).resolve(tree / path) == tree / place
    assert Sandbox(tree.parent / "place" / "sub" / "..").resolve(path) == tree / place


@pytest.mark.parametrize(
    "path", ["", "a\0b", "\ud800", "a/\udce9", "x" * (MAX_PATH_BYTES + 1), "é" * 2049, "a/" * 10**6]
)
@pytest.mark.promise("D-SBX-05")
def test_what_is_no_path_is_refused(tree: Path, path: str) -> None:
    with pytest.raises(FileRefused, match=r"^File '") as caught:
        Sandbox(tree).resolve(path)
    assert (caught.value.reason, caught.value.path) == ("invalid_path", path)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("path", [Path("a\0b"), Path("\ud800"), Path("x" * 5000)], ids=["NUL", "surrogate", "long"])
def test_what_is_no_path_is_refused_as_a_path_object_too(tree: Path, path: Path) -> None:
    with pytest.raises(FileRefused) as caught:
        Sandbox(tree).resolve(path)
    assert caught.value.reason == "invalid_path"


@pytest.mark.parametrize("path", [None, 1, b"a", ["a"], True], ids=repr)
def test_a_path_is_a_string_or_a_path_object(tree: Path, path: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^path: must be a string or a Path"):
        Sandbox(tree).resolve(path)


@pytest.mark.parametrize("path", ["loop/../out/secret.txt", "loop/../secret", "ping/../out", "loop/../up/outside"])
@pytest.mark.promise("D-SBX-05")
def test_links_after_a_circle_of_links_are_not_taken_as_they_stand(tree: Path, path: str) -> None:
    # Where the system follows nothing, versions of Python differ in what they make of the rest.
    with pytest.raises((PermissionDenied, FileRefused)):
        Sandbox(tree).resolve(path)


@pytest.mark.promise("D-SBX-05")
def test_links_too_long_to_follow_do_not_hide_where_they_end(place: Path) -> None:
    # The way through the short links is, written out, longer than the system takes; the last link leads back.
    steps = "abcdefghijklmnop"
    folder = os.open(place, os.O_RDONLY)
    for step in steps:
        os.mkdir("d" * 247, dir_fd=folder)
        os.symlink("d" * 247, step, dir_fd=folder)
        below = os.open("d" * 247, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.symlink("../" * len(steps), "l" * 254, dir_fd=folder)
    os.close(folder)
    back = "/".join([*steps, "l" * 254])
    outside = f"{back}/../outside/secret.txt"
    assert identity(place, outside) == identity(place.parent, "outside/secret.txt")
    sandbox = Sandbox(place, read=True, write=True)
    for path in (outside, f"{back}/../outside/new.txt", back, f"{back}/{'../' * 17}outside/secret.txt"):
        for attempt in (sandbox.read_text(path), sandbox.list_files(path), sandbox.write_text(path, "x")):
            with pytest.raises((PermissionDenied, FileRefused)):
                run(attempt)
    assert (place.parent / "outside" / "secret.txt").read_text(encoding="utf-8") != "x"


def test_the_workspace_is_chosen_once(place: Path) -> None:
    link = place.parent / "current"
    link.symlink_to("place")
    (place / "a.txt").touch()
    sandbox = Sandbox(link)
    link.unlink()
    link.symlink_to("outside")
    assert sandbox.workspace == place.resolve()
    assert sandbox.resolve("a.txt") == place.resolve() / "a.txt"


def test_a_workspace_that_becomes_a_link_leads_nowhere(place: Path) -> None:
    sandbox = Sandbox(place)
    place.rmdir()
    place.symlink_to("outside")
    for path in (".", "secret.txt", "new.txt", place / "secret.txt"):
        with pytest.raises(PermissionDenied):
            sandbox.resolve(path)


def test_the_whole_file_system_may_be_the_workspace() -> None:
    assert Sandbox("/").resolve("..") == Path("/")
    assert Sandbox("/").resolve("/nothing/here") == Path("/nothing/here")


def test_a_workspace_need_not_exist(place: Path) -> None:
    assert Sandbox(place / "later").resolve("a/b") == place.resolve() / "later" / "a" / "b"
