"""What the operating system refuses, said without a path of the host."""

from __future__ import annotations

import errno
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ditto_core import DittoError, FileMissing, FileRefused, Sandbox
from ditto_core.sandbox import opening, reading, writing
from ditto_core.sandbox.paths import GivenPath
from tests.support import run

NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[Path]:
    """Give a folder, and be somebody whom the permission bits of its files hold back, also where tests run as root."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


def test_what_may_not_be_read_written_or_listed_is_refused_and_not_left_out() -> None:
    with unprivileged() as place:
        (place / "a.txt").write_text("old", encoding="utf-8")
        (place / "shut").mkdir()
        sandbox = Sandbox(place, read=True, write=True)
        (place / "a.txt").chmod(0)
        (place / "shut").chmod(0)
        attempts = [sandbox.read_text("a.txt"), sandbox.write_text("a.txt", "new"), sandbox.list_files()]
        attempts += [sandbox.read_text("shut/b.txt"), sandbox.write_text("shut/b.txt", "new")]
        for attempt in attempts:
            with pytest.raises(FileRefused, match=r"the system refused it: Permission denied \(EACCES\)\.$") as caught:
                run(attempt)
            assert caught.value.reason == "system"
            assert clean(caught.value, place)
        (place / "a.txt").chmod(0o600)
        (place / "shut").chmod(0o700)
        assert run(sandbox.list_files()) == ["a.txt"]
        assert run(sandbox.read_text("a.txt")) == "old"


def test_a_folder_that_may_be_passed_but_not_listed_can_be_read_through() -> None:
    with unprivileged() as place:
        (place / "sub").mkdir()
        (place / "sub" / "a.txt").write_text("old", encoding="utf-8")
        (place / "sub").chmod(0o300 if hasattr(os, "O_PATH") else 0o700)
        sandbox = Sandbox(place, read=True, write=True)
        assert run(sandbox.read_text("sub/a.txt")) == "old"
        run(sandbox.write_text("sub/a.txt", "new"))
        assert run(sandbox.read_text("sub/a.txt")) == "new"
        (place / "sub").chmod(0o700)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ELOOP, errno.ENAMETOOLONG, 0, None, 99999])
@pytest.mark.parametrize("function", ["open", "stat", "scandir", "readlink", "fsync", "replace"])
def test_no_error_of_the_system_comes_through_with_its_path(
    place: Path, monkeypatch: pytest.MonkeyPatch, function: str, number: int | None
) -> None:
    (place / "a.txt").write_text("old", encoding="utf-8")
    (place / "link").symlink_to("a.txt")
    sandbox = Sandbox(place, read=True, write=True)
    error = OSError(f"{place}: broken") if number is None else OSError(number, "broken", str(place))

    def broken(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(os, function, broken)
    outcomes = [
        outcome(sandbox.read_text("link")),
        outcome(sandbox.write_text("link", "new")),
        outcome(sandbox.list_files()),
    ]
    monkeypatch.undo()
    refused = [raised for raised in outcomes if raised is not None]
    assert refused
    assert all(type(raised) is FileRefused and clean(raised, place) for raised in refused)
    # A link that cannot be read is, for some versions of Python, no link; then it is no regular file either.
    assert {raised.reason for raised in refused} <= {"system"} | ({"not_a_file"} if function == "readlink" else set())
    assert (place / "a.txt").read_text(encoding="utf-8") == ("new" if outcomes[1] is None else "old")
    assert sorted(path.name for path in place.iterdir()) == ["a.txt", "link"]


def outcome(attempt: Any) -> FileRefused | None:
    try:
        run(attempt)
    except FileRefused as refusal:
        return refusal
    return None


def clean(error: BaseException, place: Path) -> bool:
    """Tell whether neither the error nor anything chained to it knows the place."""
    return str(place) not in repr(error) and error.__context__ is None and error.__cause__ is None


def swap_file(home: Path) -> None:
    (home / "sub" / "a.txt").unlink()
    (home / "sub" / "a.txt").symlink_to("../../outside/a.txt")


def swap_folder(home: Path) -> None:
    (home / "sub").rename(home / "moved")
    (home / "sub").symlink_to("../outside")


def swap_for_a_pipe(home: Path) -> None:
    (home / "sub" / "a.txt").unlink()
    os.mkfifo(home / "sub" / "a.txt")


@pytest.mark.parametrize("action", ["read", "write"])
@pytest.mark.parametrize("swap", [swap_file, swap_folder, swap_for_a_pipe])
@pytest.mark.parametrize("when", ["located", "looked at"])
@pytest.mark.promise("D-SBX-05")
def test_what_is_swapped_between_the_look_and_the_opening_is_not_followed(
    place: Path, monkeypatch: pytest.MonkeyPatch, action: str, swap: Callable[[Path], None], when: str
) -> None:
    other = place.parent / "outside" / "a.txt"
    other.write_text("outside", encoding="utf-8")
    (place / "sub").mkdir()
    (place / "sub" / "a.txt").write_text("inside", encoding="utf-8")
    sandbox = Sandbox(place, read=True, write=True)
    for module in (reading, writing):
        step = {"located": "locate_file", "looked at": "check_regular"}[when]
        monkeypatch.setattr(module, step, followed_by(getattr(module, step), swap, place))
    attempt = sandbox.read_text("sub/a.txt") if action == "read" else sandbox.write_text("sub/a.txt", "new")
    if (swap, when) == (swap_folder, "looked at"):
        # The folder is open by then, so the file is still the one that was looked at, wherever it is called now.
        assert run(attempt) == ("inside" if action == "read" else None)
        assert (place / "moved" / "a.txt").read_text(encoding="utf-8") == {"read": "inside", "write": "new"}[action]
    else:
        with pytest.raises(FileRefused):
            run(attempt)
    assert other.read_text(encoding="utf-8") == "outside"
    assert [path.name for path in other.parent.iterdir() if path.name.startswith(".")] == []


@pytest.mark.promise("D-SBX-08")
def test_a_pipe_that_somebody_reads_is_not_replaced(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "sub").mkdir()
    (place / "sub" / "a.txt").touch()
    monkeypatch.setattr(writing, "check_regular", followed_by(opening.check_regular, swap_for_a_read_pipe, place))
    with pytest.raises(FileRefused, match="it is a named pipe"):
        run(Sandbox(place, write=True).write_text("sub/a.txt", "new"))
    os.close(int((place / "reader").read_text(encoding="utf-8")))
    assert [path.name for path in (place / "sub").iterdir()] == ["a.txt"]


def swap_for_a_read_pipe(home: Path) -> None:
    swap_for_a_pipe(home)
    reader = os.open(home / "sub" / "a.txt", os.O_RDONLY | os.O_NONBLOCK)
    (home / "reader").write_text(str(reader), encoding="utf-8")


def followed_by(function: Callable[..., Any], swap: Callable[[Path], None], place: Path) -> Callable[..., Any]:
    """Return the function with a change of the file system right after its first call."""
    calls: list[None] = []

    def changed(*args: Any) -> Any:
        found = function(*args)
        if not calls:
            calls.append(None)
            swap(place)
        return found

    return changed


def test_an_error_of_our_own_passes_as_it_is(place: Path) -> None:
    missing = FileMissing("said already", path="b")

    @opening.explained
    def refuse(root: str, path: GivenPath) -> None:
        raise missing

    with pytest.raises(FileMissing) as caught:
        refuse(str(place), GivenPath("a", "a"))
    assert caught.value is missing


@pytest.mark.parametrize(
    "error", [FileRefused("no", path="a", reason="too_large"), FileMissing("no", path="a")], ids=repr
)
def test_file_errors_survive_being_pickled(error: FileRefused) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.path, copy.reason) == (type(error), "no", "a", error.reason)
    assert isinstance(copy, DittoError)
    assert getattr(copy, "errno", None) == getattr(error, "errno", None)


def test_no_descriptor_is_left_open_however_it_ends(place: Path) -> None:
    (place / "a.txt").write_text("old", encoding="utf-8")
    (place / "b.bin").write_bytes(b"\xff")
    (place / "sub").mkdir()
    os.mkfifo(place / "pipe")
    sandbox = Sandbox(place, read=True, write=True)

    def tries() -> None:
        for path in ("a.txt", "b.bin", "sub", "pipe", "none", "none/x", "a.txt/x"):
            attempts = (sandbox.read_text(path, max_bytes=2), sandbox.write_text(path, "x"), sandbox.list_files(path))
            for attempt in attempts:
                outcome(attempt)

    tries()
    before = sorted(os.listdir("/dev/fd"))  # noqa: PTH208
    tries()
    assert sorted(os.listdir("/dev/fd")) == before  # noqa: PTH208
