"""What a command needs, and what is looked at before it starts."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from ditto_commands.checks import check_operands
from ditto_commands.listing import Ls
from ditto_core import FileRefused, InvalidArguments, PermissionDenied, RefusedCall
from tests.support.commands import PROGRAMS, READERS, WITH_PATH, FakeExecutor, call, on

NOT_READERS = tuple(name for name in WITH_PATH if name not in READERS)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    """A workspace with one of everything, beside a folder that is none of its business."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for folder in (outside, inside, inside / "folder"):
        folder.mkdir()
    (outside / "secret").write_text("needle")
    (inside / "file").write_text("needle")
    for name, target in {
        "out": "../outside",
        "out-file": "../outside/secret",
        "out-missing": "../outside/missing",
        "zero": "/dev/zero",
        "environ": "/proc/self/environ",
        "proc": "/proc",
        "in": "file",
        "in-folder": "folder",
        "dangling": "missing",
        "loop": "loop",
        "behind-loop": "loop/../out",
        "up": "..",
        "self": ".",
    }.items():
        (inside / name).symlink_to(target)
    os.mkfifo(inside / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(inside)  # the name of a socket has to be short
        try:
            bound.bind("socket")
        finally:
            os.chdir(here)
        yield inside


@pytest.mark.promise("CMD-21", "D-CMD-03")
@pytest.mark.parametrize("name", PROGRAMS)
def test_its_name_execute_and_an_executor_are_enough(name: str, workspace: Path) -> None:
    executor = FakeExecutor(local=True)
    call(name, on(name, "file"), executor, workspace=workspace, tools=[name])
    assert len(executor.asked) == 1
    assert executor.workspaces == [workspace]


@pytest.mark.promise("CMD-21")
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("local", [True, False])
def test_without_one_of_them_nothing_runs(name: str, local: bool, workspace: Path) -> None:
    executor = FakeExecutor(local=local)
    others = [other for other in PROGRAMS if other != name]
    with pytest.raises(PermissionDenied, match="tools"):
        call(name, on(name, "file"), executor, workspace=workspace, tools=others)
    for path in ("file", "pipe", "out"):  # nothing is told of files to who may not execute
        with pytest.raises(PermissionDenied, match="execute"):
            call(name, on(name, path), executor, workspace=workspace, execute=False)
    with pytest.raises(PermissionDenied, match="executor"):
        call(name, on(name, "file"), None, workspace=workspace)
    assert executor.asked == []


@pytest.mark.promise("D-CMD-01", "CMD-22")
@pytest.mark.parametrize("name", WITH_PATH)
@pytest.mark.parametrize(
    "path",
    ["out", "out/secret", "out/missing", "out-file", "out-missing", "zero", "environ", "proc/self/environ", "up"],
)
def test_a_path_that_leaves_the_workspace_is_refused_before_the_executor(
    name: str, path: str, workspace: Path
) -> None:
    executor = FakeExecutor(local=True)
    with pytest.raises(PermissionDenied, match="leads out of the workspace") as caught:
        call(name, on(name, path), executor, workspace=workspace)
    assert str(workspace.parent) not in str(caught.value)
    assert executor.asked == []


@pytest.mark.promise("D-CMD-01")
@pytest.mark.case("ARG-15")
def test_one_path_that_leaves_among_good_ones_refuses_the_search(workspace: Path) -> None:
    executor = FakeExecutor(local=True)
    with pytest.raises(PermissionDenied, match="leads out of the workspace"):
        call("grep", {"pattern": "a", "paths": ["file", "out-file", "file"]}, executor, workspace=workspace)
    assert executor.asked == []


@pytest.mark.promise("D-CMD-02")
@pytest.mark.case("ARG-06")
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("path", "kind"),
    [("pipe", "a pipe"), ("socket", "a socket"), ("folder", "a folder"), ("in-folder", "a folder"), (".", "a folder")],
)
def test_what_is_no_regular_file_is_not_read(name: str, path: str, kind: str, workspace: Path) -> None:
    executor = FakeExecutor(local=True)
    with pytest.raises(InvalidArguments, match=f"^Command '{name}': '{path}' is {kind} and no regular file"):
        call(name, on(name, path), executor, workspace=workspace)
    assert executor.asked == []


def test_a_message_shows_not_all_of_a_long_path(workspace: Path) -> None:
    path = "/".join(["folder", *["."] * 400])
    with pytest.raises(InvalidArguments, match="is a folder") as caught:
        call("cat", on("cat", path), FakeExecutor(local=True), workspace=workspace)
    assert len(str(caught.value)) < 300


@pytest.mark.promise("D-CMD-02")
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "path", ["file", "in", "self/file", "missing", "dangling", "folder/missing", "file/x", "loop"]
)
def test_files_and_what_does_not_exist_go_to_the_command(name: str, path: str, workspace: Path) -> None:
    executor = FakeExecutor(local=True)
    call(name, on(name, path), executor, workspace=workspace)
    assert len(executor.asked) == 1


@pytest.mark.promise("D-CMD-02")
@pytest.mark.parametrize("name", NOT_READERS)
@pytest.mark.parametrize("path", [".", "folder", "pipe", "socket", "file", "in", "missing", "loop"])
def test_what_opens_nothing_takes_everything(name: str, path: str, workspace: Path) -> None:
    executor = FakeExecutor(local=True)
    call(name, on(name, path), executor, workspace=workspace)
    assert len(executor.asked) == 1


@pytest.mark.promise("D-CMD-02")
def test_a_recursive_search_takes_folders_and_still_no_pipe(workspace: Path) -> None:
    executor = FakeExecutor(local=True)
    call("grep", on("grep", ".", recursive=True), executor, workspace=workspace)
    with pytest.raises(InvalidArguments, match="is a pipe"):
        call("grep", on("grep", "pipe", recursive=True), executor, workspace=workspace)
    assert len(executor.asked) == 1


@pytest.mark.parametrize("name", WITH_PATH)
def test_a_path_out_of_the_workspace_behind_a_circle_of_links_is_refused(name: str, workspace: Path) -> None:
    executor = FakeExecutor(local=True)
    with pytest.raises(RefusedCall):  # some versions of Python follow it out, the others see the circle
        call(name, on(name, "behind-loop"), executor, workspace=workspace)
    assert executor.asked == []


def test_a_path_of_which_nobody_can_tell_where_it_leads_is_refused() -> None:
    @attrs.frozen
    class Circle:
        def resolve(self, path: str) -> Path:
            raise FileRefused(f"File '{path}': its links lead in a circle.")

    with pytest.raises(InvalidArguments, match=r"^Command 'ls': 'a' leads nowhere: File 'a': its links lead in a cir"):
        check_operands(Ls(path="a"), Circle())  # type: ignore[arg-type]


@pytest.mark.promise("D-CMD-03")
@pytest.mark.parametrize("name", WITH_PATH)
def test_with_an_executor_elsewhere_only_the_text_of_a_path_counts(name: str, workspace: Path) -> None:
    executor = FakeExecutor(local=False)
    for path in ("out/secret", "zero", "pipe", "folder", "up", "behind-loop"):
        call(name, on(name, path), executor, workspace=workspace)
    assert len(executor.asked) == 6
    with pytest.raises(InvalidArguments, match="must be a relative path"):
        call(name, on(name, "../outside/secret"), executor, workspace=workspace)
    assert len(executor.asked) == 6
