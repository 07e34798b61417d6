"""Writing text: the old one or the new one, never a part, and nothing left behind."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from ditto_core import FileMissing, FileRefused, InvalidValue, PermissionDenied, Sandbox
from tests.support import run


def write(place: Path, path: str | Path, text: Any) -> None:
    run(Sandbox(place, write=True).write_text(path, text))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.promise("D-SBX-08", "SBX-01")
def test_without_the_permission_nothing_is_written(place: Path) -> None:
    sandbox = Sandbox(place, read=True, execute=True, tools=["*"])
    for path in ("a.txt", "", "../x"):
        with pytest.raises(PermissionDenied, match=r"^Writing files: "):
            run(sandbox.write_text(path, "x"))
    assert list(place.iterdir()) == []


@pytest.mark.promise("D-SBX-08")
def test_a_new_file_is_made_and_an_old_one_replaced(place: Path) -> None:
    for text in ("one\r\n", "", "two"):
        write(place, "a.txt", text)
        assert (place / "a.txt").read_bytes() == text.encode()
        assert [path.name for path in place.iterdir()] == ["a.txt"]


@pytest.mark.promise("D-SBX-08")
def test_an_existing_file_keeps_its_permissions_and_a_new_one_gets_the_usual(place: Path) -> None:
    old_mask = os.umask(0o027)
    try:
        write(place, "new.txt", "x")
        assert mode(place / "new.txt") == 0o640
        for bits in (0o600, 0o644, 0o777, 0o4755):
            (place / "old.txt").touch()
            (place / "old.txt").chmod(bits)
            write(place, "old.txt", "x")
            assert mode(place / "old.txt") == bits & 0o777
    finally:
        os.umask(old_mask)


def test_the_owner_stays_where_the_system_permits_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "a.txt").touch()
    wanted = (12345, 54321) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    os.chown(place / "a.txt", *wanted)
    write(place, "a.txt", "x")
    assert ((place / "a.txt").stat().st_uid, (place / "a.txt").stat().st_gid) == wanted

    def refused(*_: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refused)
    write(place, "a.txt", "y")
    assert (place / "a.txt").read_text(encoding="utf-8") == "y"


def test_what_replaces_a_private_file_is_private_from_the_start(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "key").touch(mode=0o600)
    seen = []
    chmod = os.fchmod

    def watched(descriptor: int, bits: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        chmod(descriptor, bits)

    monkeypatch.setattr(os, "fchmod", watched)
    write(place, "key", "secret")
    assert seen == [0o600]


@pytest.mark.promise("D-SBX-08")
def test_other_hard_links_keep_the_old_text(place: Path) -> None:
    outside = place.parent / "outside" / "secret.txt"
    os.link(outside, place / "a.txt")
    before = outside.read_bytes()
    write(place, "a.txt", "new")
    assert (outside.read_bytes(), (place / "a.txt").read_bytes()) == (before, b"new")


@pytest.mark.promise("D-SBX-05", "D-SBX-08")
def test_links_are_followed_inside_and_never_out(place: Path) -> None:
    (place / "sub").mkdir()
    for name, target in {"in": "sub", "new": "sub/new.txt", "out": "../outside", "astray": "../outside/x"}.items():
        (place / name).symlink_to(target)
    write(place, "in/a.txt", "a")
    write(place, "new", "b")
    assert {path.name: path.read_text(encoding="utf-8") for path in (place / "sub").iterdir()} == {
        "a.txt": "a",
        "new.txt": "b",
    }
    assert (place / "new").is_symlink()
    for path in ("out/secret.txt", "out/new.txt", "astray", "../outside/y"):
        with pytest.raises(PermissionDenied):
            write(place, path, "x")
    assert [path.name for path in (place.parent / "outside").iterdir()] == ["secret.txt"]


@pytest.mark.promise("D-SBX-08")
def test_no_folder_is_made(place: Path) -> None:
    with pytest.raises(FileMissing, match=r"^File 'sub/a.txt': there is no such file, or no such folder on the way"):
        write(place, "sub/a.txt", "x")
    assert list(place.iterdir()) == []
    with pytest.raises(FileMissing):
        write(place / "later", "a.txt", "x")


@pytest.mark.parametrize("text", ["\ud800", "ok \udcff", "\ude00\ud83d"], ids=ascii)
@pytest.mark.promise("D-SBX-08")
def test_a_lone_surrogate_is_no_text(place: Path, text: str) -> None:
    (place / "a.txt").write_text("old", encoding="utf-8")
    with pytest.raises(FileRefused, match=r"^File 'a.txt': the text has a lone surrogate") as caught:
        write(place, "a.txt", text)
    assert (caught.value.reason, caught.value.__context__) == ("not_text", None)
    assert (place / "a.txt").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("text", [None, b"x", 1, Path("x")], ids=repr)
def test_text_is_a_string(place: Path, text: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^text: must be a string"):
        write(place, "a.txt", text)


@pytest.mark.promise("D-SBX-08")
def test_readers_see_one_whole_text_while_it_is_written_again_and_again(place: Path) -> None:
    texts = [letter * 300_000 for letter in "abc"]
    write(place, "a.txt", texts[0])
    ended = threading.Event()
    seen: list[str] = []

    def watch() -> None:
        while not ended.is_set():
            text = (place / "a.txt").read_text(encoding="utf-8")
            seen.append(text[0] if text in texts else f"{len(text)} of {sorted(set(text))}")

    readers = [threading.Thread(target=watch) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(60):
        write(place, "a.txt", texts[number % 3])
    ended.set()
    for reader in readers:
        reader.join(10)
    assert seen
    assert set(seen) <= set("abc")


@pytest.mark.parametrize("function", ["fsync", "fchmod", "replace"])
@pytest.mark.promise("D-SBX-08")
def test_a_failure_leaves_the_old_text_and_nothing_else(
    place: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    (place / "a.txt").write_text("old", encoding="utf-8")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device", str(place))

    monkeypatch.setattr(os, function, full)
    with pytest.raises(FileRefused, match=r"No space left on device \(ENOSPC\)"):
        write(place, "a.txt", "new")
    assert {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()} == {"a.txt": "old"}
