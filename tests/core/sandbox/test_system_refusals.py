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

from ditto_core import DittoError, PermissionDenied, Sandbox
from ditto_core.errors import FileMissing, FileRefused
from ditto_core.sandbox import opening, reading, writing
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


def swap_file(place: Path) -> None:
    (place / "sub" / "a.txt").unlink()
    (place / "sub" / "a.txt").symlink_to("../../outside/secret.txt")


def swap_folder(place: Path) -> None:
    (place / "sub").rename(place / "moved")
    (place / "sub").symlink_to("../outside")


def swap_for_a_pipe(place: Path) -> None:
    (place / "sub" / "a.txt").unlink()
    os.mkfifo(place / "sub" / "a.txt")


@pytest.mark.parametrize("swap", [swap_file, swap_folder, swap_for_a_pipe])
@pytest.mark.parametrize("when", ["located", "looked at"])
@pytest.mark.promise("D-SBX-05")
def test_what_is_swapped_between_the_look_and_the_opening_is_not_followed(
    place: Path, monkeypatch: pytest.MonkeyPatch, swap: Callable[[Path], None], when: str
) -> None:
    (place.parent / "outside" / "a.txt").write_text("outside", encoding="utf-8")
    for action in ("read", "write"):
        home = place / action
        (home / "sub").mkdir(parents=True)
        (home / "sub" / "a.txt").write_text("inside", encoding="utf-8")
        (home / "outside").symlink_to("../../outside")
        sandbox = Sandbox(home, read=True, write=True)
        with monkeypatch.context() as patch:
            for module in (reading, writing):
                step = {"located": "locate_file", "looked at": "check_regular"}[when]
                patch.setattr(module, step, followed_by(getattr(module, step), swap, home))
            try:
                text = run(
                    sandbox.read_text("sub/a.txt") if action == "read" else sandbox.write_text("sub/a.txt", "new")
                )
            except FileRefused:
                text = None
        assert text in {None, "inside"}
    assert (place.parent / "outside" / "a.txt").read_text(encoding="utf-8") == "outside"
    assert (place.parent / "outside" / "secret.txt").read_text(encoding="utf-8") != "new"


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
    denied = PermissionDenied("no")

    @opening.explained
    def refuse(root: str, path: opening.GivenPath) -> None:
        raise denied

    with pytest.raises(PermissionDenied) as caught:
        refuse(str(place), opening.GivenPath("a", "a"))
    assert caught.value is denied


@pytest.mark.parametrize(
    "error", [FileRefused("no", path="a", reason="too_large"), FileMissing("no", path="a")], ids=repr
)
def test_file_errors_survive_being_pickled(error: FileRefused) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.path, copy.reason) == (type(error), "no", "a", error.reason)
    assert isinstance(copy, DittoError)
    assert getattr(copy, "errno", None) == getattr(error, "errno", None)
