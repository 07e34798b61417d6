"""grep and find as they run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ditto_commands import CommandTools
from ditto_local import LocalExecutor
from tests.support.commands import about, call, on

LOCAL = LocalExecutor(["grep", "find"], timeout=50)


@pytest.mark.case("ARG-08")
@pytest.mark.parametrize("pattern", ["-r", "--include=x", "-f/etc/hostname", "--", "-e", "--follow", "-", "--help"])
def test_a_pattern_that_looks_like_an_option_finds_its_own_line(pattern: str, tmp_path: Path) -> None:
    lines = ["-r", "--include=x", "-f/etc/hostname", "--", "-e", "--follow", "-", "--help"]
    (tmp_path / "file").write_text("".join(f"<{line}>\n" for line in lines))
    (tmp_path / "other").write_text(f"<{pattern}>\n")
    found = call("grep", {"pattern": f"<{pattern}>", "paths": ["file"]}, LOCAL, workspace=tmp_path)
    bare = call("grep", {"pattern": pattern, "paths": ["file"]}, LOCAL, workspace=tmp_path)
    assert found.content == f"{lines.index(pattern) + 1}:<{pattern}>\n"
    assert isinstance(bare.content, str)
    assert f"{lines.index(pattern) + 1}:<{pattern}>\n" in bare.content
    assert about(bare)["args"] == ["-n", "--", pattern, "file"]


@pytest.mark.promise("D-CMD-05")
@pytest.mark.case("ARG-10")
def test_no_match_is_a_failure_with_its_own_shape(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("present\n")
    result = call("grep", {"pattern": "absent", "paths": ["file"]}, LOCAL, workspace=tmp_path)
    assert (result.status, result.content) == ("failed", "")
    assert (about(result)["exitCode"], about(result)["stderr"]) == (1, "")
    assert result.error
    assert (result.error.code, result.error.message) == (
        "COMMAND_EXIT_NONZERO",
        "grep exited with status 1: no line matched",
    )


@pytest.mark.case("ARG-11")
@pytest.mark.parametrize("pattern", ["[", r"a\(", r"\{"])
def test_a_broken_expression_is_no_empty_success(pattern: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("nothing\n[\na\\(\n\\{\n")
    arguments = {"pattern": pattern, "paths": ["file"]}
    broken = call("grep", arguments, LOCAL, workspace=tmp_path)
    if broken.status == "success":  # some versions of grep take a lone \{ as it is
        assert broken.content
    else:
        assert about(broken)["exitCode"] == 2
        assert about(broken)["stderr"].startswith("grep: ")
    literal = call("grep", {**arguments, "fixedStrings": True}, LOCAL, workspace=tmp_path)
    assert (literal.status, about(literal)["exitCode"]) == ("success", 0)
    assert str(literal.content).endswith(f"{pattern}\n")


@pytest.mark.case("ARG-04")
def test_a_recursive_search_follows_no_link_and_waits_for_no_pipe(tmp_path: Path) -> None:
    (tmp_path / "outdir").mkdir()
    (tmp_path / "outdir/secret").write_text("needle outside\n")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "file").write_text("needle inside\n")
    (inside / "to-out").symlink_to("../outdir")
    (inside / "cycle").symlink_to("..")
    os.mkfifo(inside / "pipe")
    result = call("grep", on("grep", ".", recursive=True), LOCAL, workspace=inside)
    assert (result.status, result.content) == ("success", "./file:1:needle inside\n")


@pytest.mark.case("OUTP-09")
@pytest.mark.parametrize("data", [b"needle\0x", b"caf\xe9 needle\n"], ids=["binary", "latin"])
def test_a_match_in_what_is_no_text_is_noticed(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    result = call("grep", on("grep", "file"), LOCAL, workspace=tmp_path)
    assert (result.status, about(result)["exitCode"]) == ("success", 0)
    assert "matches" in str(result.content) + about(result)["stderr"]


@pytest.mark.case("OUTP-04")
def test_one_huge_line_is_bounded_by_bytes(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x" * 650_000 + "stats")
    arguments = {"pattern": "stats", "paths": ["file"]}
    cut = call("grep", arguments, LOCAL, workspace=tmp_path)
    assert (len(str(cut.content)), about(cut)["truncated"], about(cut)["stdoutBytes"]) == (65_536, True, 650_008)
    plugin = CommandTools(max_output_bytes=1_048_576)
    whole = call("grep", arguments, LOCAL, workspace=tmp_path, plugin=plugin)
    assert (whole.content, about(whole)["truncated"]) == ("1:" + "x" * 650_000 + "stats\n", False)


@pytest.mark.promise("CMD-14")
@pytest.mark.case("ARG-01")
@pytest.mark.parametrize("arguments", [{"path": "-delete"}, {"path": "-delete", "maxDepth": 1}, {"name": "-delete"}])
@pytest.mark.parametrize("present", [True, False])
def test_find_never_takes_a_path_for_an_action(present: bool, arguments: dict[str, str | int], tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    if present:
        (tmp_path / "-delete").mkdir()
        (tmp_path / "-delete/b.txt").touch()
    before = sorted(tmp_path.rglob("*"))
    result = call("find", arguments, LOCAL, workspace=tmp_path)
    assert sorted(tmp_path.rglob("*")) == before
    if "name" in arguments:
        assert (result.status, result.content) == ("success", "./-delete\n" if present else "")
    elif present:
        assert (result.status, result.content) == ("success", "./-delete\n./-delete/b.txt\n")
    else:
        assert (result.status, result.content) == ("failed", "")


@pytest.mark.case("ARG-03")
@pytest.mark.parametrize("path", ["(", ")", "!", ",", "-o", "-print"])
def test_find_never_takes_a_path_for_an_operator(path: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    absent = call("find", {"path": path}, LOCAL, workspace=tmp_path)
    assert (absent.status, absent.content) == ("failed", "")
    assert absent.error
    assert absent.error.code == "COMMAND_EXIT_NONZERO"
    (tmp_path / path).mkdir()
    (tmp_path / path / "b.txt").touch()
    present = call("find", {"path": path, "type": "file"}, LOCAL, workspace=tmp_path)
    assert (present.status, present.content) == ("success", f"./{path}/b.txt\n")


@pytest.mark.case("ARG-14")
def test_only_the_name_of_find_is_a_pattern(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "[ab].py", "*"):
        (tmp_path / name).touch()
    found = call("find", {"name": "*.py", "type": "file"}, LOCAL, workspace=tmp_path)
    assert sorted(str(found.content).splitlines()) == ["./[ab].py", "./a.py", "./b.py"]
    assert call("find", {"path": "*"}, LOCAL, workspace=tmp_path).content == "./*\n"
    assert call("find", {"path": "[ab].py"}, LOCAL, workspace=tmp_path).content == "./[ab].py\n"
    assert call("find", {"path": "?.py"}, LOCAL, workspace=tmp_path).status == "failed"
