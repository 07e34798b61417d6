"""Files as the readers give them: bytes, limits, line ends, links."""

from __future__ import annotations

import os
from pathlib import Path

import attrs
import pytest

from ditto_commands import CommandTools
from ditto_core import Command, CommandResult, CommandTimeout, CommandUnavailable
from ditto_local import LocalExecutor
from tests.support.commands import PROGRAMS, READERS, about, call, on

LOCAL = LocalExecutor(PROGRAMS, timeout=50)


@attrs.frozen
class Elsewhere:
    """An executor that says that its workspace is not this file system, and runs commands all the same."""

    here: LocalExecutor
    local: bool = False

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        return await self.here.run(command, workspace=workspace)


@pytest.mark.promise("CMD-17")
@pytest.mark.case("OUTP-01")
@pytest.mark.parametrize("cap", range(8, 17))
def test_a_cap_inside_a_character_leaves_it_out_whole(cap: int, tmp_path: Path) -> None:
    text = "a" * 9 + "\u00e9\U0001f600"
    (tmp_path / "file").write_text(text)
    plugin = CommandTools(max_output_bytes=cap, max_error_bytes=1)
    result = call("cat", on("cat", "file"), LOCAL, workspace=tmp_path, plugin=plugin)
    kept = str(result.content)
    assert text.startswith(kept)
    assert min(cap, 15) - 3 <= len(kept.encode()) <= cap
    assert about(result)["truncated"] == (cap < 15)
    assert (about(result)["stdoutBytes"], about(result)["maxOutputBytes"]) == (15, cap)


@pytest.mark.promise("CMD-17")
@pytest.mark.case("OUTP-01")
def test_a_long_text_of_three_bytes_a_character_is_cut_between_two(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("語" * 24_000)
    result = call("cat", on("cat", "file"), LOCAL, workspace=tmp_path)
    assert (result.content, about(result)["truncated"]) == ("語" * (65_536 // 3), True)


@pytest.mark.promise("D-CMD-13")
@pytest.mark.case("OUTP-03")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xff" * 65_536, "\ufffd" * (65_536 // 3)),
        (b"caf\xe9", "caf\ufffd"),
        (b"\xf0", "\ufffd"),
        (b"a\xffb\n", "a\ufffdb\n"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (b"\x89PNG\r\n\x1a\n\0\0", "\ufffdPNG\r\n\x1a\n\0\0"),
    ],
    ids=["ff", "latin", "half", "amid", "surrogate", "png"],
)
def test_bytes_that_are_no_utf8_are_replaced_within_the_cap(data: bytes, text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    result = call("cat", on("cat", "file"), LOCAL, workspace=tmp_path)
    assert (result.status, result.content) == ("success", text)
    assert about(result)["truncated"] == (len(data) == 65_536)


@pytest.mark.case("OUTP-05")
def test_a_long_line_without_an_end_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x" * 200_000)
    result = call("cat", on("cat", "file"), LOCAL, workspace=tmp_path)
    assert (result.content, about(result)["truncated"]) == ("x" * 65_536, True)
    assert (about(result)["stdoutBytes"], about(result)["exitCode"]) == (200_000, 0)


@pytest.mark.case("OUTP-07")
@pytest.mark.parametrize("name", ["cat", "head", "tail"])
def test_line_ends_stay_as_they_are(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a\r\nb\rc\n")
    assert call(name, on(name, "file"), LOCAL, workspace=tmp_path).content == "a\r\nb\rc\n"


@pytest.mark.promise("CMD-17")
@pytest.mark.case("OUTP-10")
@pytest.mark.parametrize(
    ("text", "kept", "truncated"),
    [
        ("", "", False),
        ("a" * 20, "a" * 20, False),
        ("a" * 21, "a" * 20, True),
        ("a\nb\nc", "a\nb\nc", False),
        ("a\nb\nc\n", "a\nb\nc\n", False),
        ("a\nb\nc\nd", "a\nb\nc\n", True),
        ("a\nb\nc\n\n", "a\nb\nc\n", True),
    ],
)
def test_limits_are_exact(text: str, kept: str, truncated: bool, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    plugin = CommandTools(max_entries=3, max_output_bytes=20)
    result = call("cat", on("cat", "file"), LOCAL, workspace=tmp_path, plugin=plugin)
    assert (result.status, result.content, about(result)["truncated"]) == ("success", kept, truncated)


@pytest.mark.promise("D-CMD-03")
@pytest.mark.case("ARG-06")
def test_elsewhere_a_pipe_runs_into_the_deadline(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    executor = Elsewhere(LocalExecutor(PROGRAMS, timeout=0.2))
    for name in READERS:
        with pytest.raises(CommandTimeout):
            call(name, on(name, "pipe"), executor, workspace=tmp_path)


@pytest.mark.promise("D-CMD-11")
@pytest.mark.case("RUN-11")
def test_elsewhere_a_link_to_the_environment_shows_the_childs_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "the-secret")
    (tmp_path / "e").symlink_to("/proc/self/environ")
    result = call("cat", on("cat", "e"), Elsewhere(LOCAL), workspace=tmp_path)
    assert sorted(str(result.content).strip("\0").split("\0")) == [
        "LC_ALL=C.UTF-8",
        "PATH=/usr/bin:/bin",
        "TZ=UTC",
    ]


@pytest.mark.promise("CMD-20")
@pytest.mark.case("RUN-14")
def test_a_missing_program_is_raised_and_the_others_still_work(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "cat").symlink_to("/bin/cat")
    (tmp_path / "a").write_text("text")
    executor = LocalExecutor(PROGRAMS, env={"PATH": str(programs)})
    with pytest.raises(CommandUnavailable, match="Command 'file' could not be started") as caught:
        call("file", on("file", "a"), executor, workspace=tmp_path)
    assert str(tmp_path) not in str(caught.value)
    assert call("cat", on("cat", "a"), executor, workspace=tmp_path).content == "text"
