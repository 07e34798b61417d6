"""Reading text: as it is, whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import FileMissing, FileRefused, InvalidValue, PermissionDenied, Sandbox
from tests.support import run
from tests.support.strategies import texts


def read(place: Path, path: Any, **limits: Any) -> str:
    return run(Sandbox(place, read=True).read_text(path, **limits))


@pytest.mark.promise("D-SBX-07", "SBX-01")
def test_without_the_permission_nothing_is_read(place: Path) -> None:
    (place / "a.txt").touch()
    sandbox = Sandbox(place, write=True, execute=True, tools=["*"])
    for attempt in (
        sandbox.read_text("a.txt"),
        sandbox.read_text(""),
        sandbox.read_text("../x"),
        sandbox.list_files(),
    ):
        with pytest.raises(PermissionDenied, match=r"^Reading files: "):
            run(attempt)


@given(texts | st.sampled_from(["a\r\nb\rc\n", "\ufeffmark", "nul\0", "\x1b[0m\x85\u2028", "no end", "", "\n"]))
@pytest.mark.promise("D-SBX-07")
def test_text_comes_back_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    place = tmp_path_factory.mktemp("place")
    (place / "a.txt").write_bytes(text.encode())
    assert read(place, "a.txt") == text
    run(Sandbox(place, write=True).write_text("b.txt", text))
    assert (place / "b.txt").read_bytes() == text.encode()


@pytest.mark.promise("D-SBX-07")
def test_the_limit_is_exact_and_in_bytes(place: Path) -> None:
    (place / "a.txt").write_bytes("éé".encode())
    assert read(place, "a.txt", max_bytes=4) == "éé"
    with pytest.raises(FileRefused, match=r"^File 'a.txt': it has more than 3 bytes") as caught:
        read(place, "a.txt", max_bytes=3)
    assert (caught.value.reason, caught.value.path) == ("too_large", "a.txt")
    (place / "big.txt").write_bytes(b"x" * (1 << 20))
    assert len(read(place, "big.txt")) == 1 << 20
    (place / "big.txt").write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(FileRefused, match="more than 1048576 bytes"):
        read(place, "big.txt")


@pytest.mark.promise("D-SBX-07")
def test_a_huge_file_is_refused_without_being_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (place / "huge").open("wb") as file:
        file.truncate(1 << 40)
    monkeypatch.delattr(os, "read")
    with pytest.raises(FileRefused, match="more than 1048576 bytes"):
        read(place, "huge")


@pytest.mark.promise("D-SBX-07")
def test_a_file_that_grows_or_hides_its_size_is_held_to_the_limit(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "a.txt").write_bytes(b"x" * 100)
    fstat = os.fstat
    monkeypatch.setattr(os, "fstat", lambda fd: os.stat_result((*fstat(fd)[:6], 0, *fstat(fd)[7:])))
    assert read(place, "a.txt", max_bytes=100) == "x" * 100
    with pytest.raises(FileRefused, match="more than 99 bytes"):
        read(place, "a.txt", max_bytes=99)


@pytest.mark.parametrize(
    ("data", "offset"),
    [(b"\xff", 0), (b"abc\xe9", 3), ("é".encode()[:1], 0), (b"ok\xed\xa0\x80", 2), (b"\xc0\xaf", 0)],
)
@pytest.mark.promise("D-SBX-07")
def test_what_is_not_utf8_is_refused_and_not_quoted(place: Path, data: bytes, offset: int) -> None:
    (place / "a.bin").write_bytes(data)
    with pytest.raises(FileRefused, match=rf"not UTF-8 text: the first bad byte is at offset {offset}") as caught:
        read(place, "a.bin")
    assert caught.value.reason == "not_text"
    assert caught.value.__context__ is None


def fifo(place: Path) -> str:
    os.mkfifo(place / "it")
    return "a named pipe"


def folder(place: Path) -> str:
    (place / "it").mkdir()
    return "a folder"


def circle(place: Path) -> str:
    (place / "it").symlink_to("it")
    return "a link"


@pytest.mark.parametrize("make", [fifo, folder, circle])
@pytest.mark.promise("D-SBX-07", "D-SBX-08")
def test_only_regular_files_are_opened_and_nothing_is_waited_for(place: Path, make: Callable[[Path], str]) -> None:
    kind = make(place)
    sandbox = Sandbox(place, read=True, write=True)
    for attempt in (sandbox.read_text("it"), sandbox.write_text("it", "x")):
        with pytest.raises(FileRefused, match=f"^File 'it': it is {kind}, not a regular file") as caught:
            run(attempt, timeout=5)
        assert (caught.value.reason, caught.value.path) == ("not_a_file", "it")
    assert [path.name for path in place.iterdir()] == ["it"]


@pytest.mark.promise("D-SBX-07")
def test_a_device_is_refused_inside_and_through_a_link(place: Path) -> None:
    (place / "zero").symlink_to("/dev/zero")
    with pytest.raises(PermissionDenied):
        read(place, "zero")
    with pytest.raises(FileRefused, match="it is a device, not a regular file"):
        read(Path("/dev"), "zero")


@pytest.mark.parametrize("path", [".", "", "sub/", "a.txt/", "a.txt/.", "sub/..", "a.txt/b"])
@pytest.mark.promise("D-SBX-07", "D-SBX-08")
def test_a_path_that_means_a_folder_is_no_file(place: Path, path: str) -> None:
    (place / "sub").mkdir()
    (place / "a.txt").write_text("kept", encoding="utf-8")
    sandbox = Sandbox(place, read=True, write=True)
    for attempt in (sandbox.read_text(path), sandbox.write_text(path, "x")):
        with pytest.raises(FileRefused) as caught:
            run(attempt)
        assert caught.value.reason in {"invalid_path", "not_a_file", "not_a_folder"}
    assert (place / "a.txt").read_text(encoding="utf-8") == "kept"


@pytest.mark.promise("D-SBX-07")
def test_a_missing_file_can_be_caught_as_python_names_it(place: Path) -> None:
    (place / "dangling").symlink_to("nothing")
    for path in ("nothing", "sub/nothing", "dangling"):
        with pytest.raises(FileNotFoundError, match=r"^File '.*': there is no such file") as caught:
            read(place, path)
        assert isinstance(caught.value, FileMissing)
        assert (caught.value.reason, caught.value.path, caught.value.filename) == ("missing", path, None)


@pytest.mark.promise("D-SBX-05", "D-SBX-07")
def test_a_link_inside_is_followed_and_one_that_leads_out_is_not(place: Path) -> None:
    (place / "a.txt").write_text("inside", encoding="utf-8")
    (place / "link").symlink_to("a.txt")
    (place / "out").symlink_to("../outside")
    assert read(place, "link") == read(place, place / "link") == read(place, str(place / "a.txt")) == "inside"
    with pytest.raises(PermissionDenied):
        read(place, "out/secret.txt")


@pytest.mark.parametrize("limit", [0, -1, 1.0, True, None, "1"], ids=repr)
def test_a_limit_is_a_positive_integer(place: Path, limit: Any) -> None:
    sandbox = Sandbox(place, read=True)
    with pytest.raises(InvalidValue, match=r"^max_bytes: "):
        run(sandbox.read_text("a", max_bytes=limit))
    with pytest.raises(InvalidValue, match=r"^max_entries: "):
        run(sandbox.list_files(max_entries=limit))
