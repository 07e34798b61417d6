"""What the words of a command are to its program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_commands import CommandTools
from ditto_testkit import ToolPack
from ditto_testkit.checks.words import no_option
from ditto_testkit.labs.programs import words

T = "TEXT"


@pytest.mark.parametrize(
    "command",
    [
        ["sh", "-c", T],
        ["/bin/bash", "-lc", T, "sh", "a"],
        ["bash", "--norc", "-c", "-x", "--", T],
        ["python3.13", "-Wignore", "-c", T],
        ["python3", "-c" + T],
        ["perl", "-ne", T, "a"],
        ["node", "--eval=" + T],
        ["awk", "-F", ":", T, "a"],
        ["gawk", "-v", "x=1", "--", T],
        ["sed", "-n", T],
        ["sed", "-e", T, "a"],
        ["sed", "--expression=" + T],
        ["env", "-S", T],
        ["env", "-i", "A=1", "sh", "-c", T],
        ["env", "--split-string=" + T],
        ["xargs", "-n", "1", "sh", "-c", T],
        ["timeout", "-k", "1", "5", "nice", "-n", "3", "bash", "-c", T],
        ["find", ".", "-exec", "sh", "-c", T, ";", "-print"],
        ["busybox", "sh", "-c", T],
        ["rsync", "-a", "-e", T, "a", "b"],
        ["rsync", "--rsh=" + T, "a", "b"],
        ["tar", "-c", "--checkpoint-action", T, "--", "a"],
        ["tar", "-cI" + T, "a"],
        ["sort", "--compress-program=" + T, "a"],
        ["rg", "--pre", T, "x"],
        ["fd", "x", "-x", T],
        ["wget", "--use-askpass=" + T, "a"],
        ["git", "--no-pager", "fetch", "--upload-pack", T, "--", "a"],
        ["git", "archive", "--remote=a", "--exec=" + T],
        ["git", "-C", "a", "rebase", "-x", T, "main"],
        ["git", "bisect", "run", T],
        ["git", "config", "--global", "core.pager", T],
        ["ssh", "-p", "22", "host", T],
        ["watch", "-n", "1", T],
        ["sqlite3", "a.db", T],
        ["vim", "--cmd", T],
        ["gdb", "-ex", T],
    ],
)
def test_the_text_that_a_program_runs_is_found(command: list[str]) -> None:
    found = [word.text for word in words(command[0], command[1:]) if word.role == "script"]
    assert found == [T]


SETTINGS = [
    ["git", "-c", "core.pager=TEXT", "log"],
    ["git", "-cdiff.x.textconv=TEXT", "log"],
    ["git", "clone", "--config=core.sshCommand=TEXT", "a"],
    ["ssh", "-oProxyCommand=TEXT", "host"],
    ["ssh", "-o", "ProxyCommand TEXT", "host"],
    ["scp", "-o", "ProxyCommand=TEXT", "a", "b"],
    ["hg", "--config", "hooks.pre-log=TEXT", "log"],
    ["env", "GIT_SSH_COMMAND=TEXT", "git", "fetch"],
    ["sudo", "LD_PRELOAD=TEXT", "ls"],
    ["make", "CFLAGS=TEXT"],
]


@pytest.mark.parametrize("command", SETTINGS)
def test_a_setting_that_makes_a_program_run_something_is_found(command: list[str]) -> None:
    assert [T in word.text for word in words(command[0], command[1:]) if word.role == "script"] == [True]


@pytest.mark.parametrize(
    "command",
    [
        ["git", "-c", "user.name=TEXT", "commit"],
        ["git", "-C", "TEXT", "log"],
        ["git", "config", "user.name", "TEXT"],
        ["git", "log", "--", "TEXT"],
        ["git", "switch", "-c", "TEXT"],
        ["ssh", "-o", "User=TEXT", "host"],
        ["ssh", "-p", "22", "--", "TEXT"],
        ["env", "LANG=TEXT", "ls"],
        ["tar", "-cf", "TEXT", "a"],
        ["make", "TEXT"],
        ["dd", "if=TEXT"],
    ],
)
def test_a_setting_that_runs_nothing_is_text(command: list[str]) -> None:
    assert [word.text for word in words(command[0], command[1:]) if T in word.text and word.role != "operand"] == []


@pytest.mark.parametrize(
    "command",
    [
        ["git", T, "-x"],
        ["env", "-u", "A", T],
        ["env", "A=1", T, "x"],
        ["xargs", "-0", T],
        ["find", "a", "-type", "f", "-execdir", T, "{}", "+"],
        ["timeout", "5", T],
        [T],
    ],
)
def test_the_command_that_a_program_runs_is_found(command: list[str]) -> None:
    assert T in [word.text for word in words(command[0], command[1:]) if word.role == "command"]


@pytest.mark.parametrize(
    "command",
    [
        ["cat", "--", "-x"],
        ["grep", "-n", "--", "-x", "-x"],
        ["sh", "-c", 'cat -- "$1"', "sh", "-x"],
        ["python3", "-c", "print(1)", "-x"],
        ["xargs", "cat", "--", "-x"],
    ],
)
def test_what_comes_after_the_options_is_an_operand(command: list[str]) -> None:
    assert "operand" in [word.role for word in words(command[0], command[1:]) if word.text == "-x"]
    assert "option" not in [word.role for word in words(command[0], command[1:]) if word.text == "-x"]


@pytest.mark.parametrize(
    "command",
    [["cat", "-x"], ["find", "--", "-x"], ["xargs", "cat", "-x"], ["sed", "s/a/b/", "-x"], ["grep", "-e", "-x"]],
)
def test_an_option_is_one(command: list[str]) -> None:
    assert [word.role for word in words(command[0], command[1:]) if word.text == "-x"] == ["option"]


_PARTS = st.sampled_from(
    [
        "git",
        "ssh",
        "config",
        "-o",
        "-c",
        "A.b=1",
        "sh",
        "env",
        "find",
        "sed",
        "-c",
        "-e",
        "--",
        "-exec",
        ";",
        "-",
        "A=1",
        "x",
        "-nx",
        "",
    ]
)


@given(st.lists(_PARTS, min_size=1, max_size=12))
def test_every_command_can_be_read(command: list[str]) -> None:
    found = list(words(command[0], command[1:]))
    assert found[0].role == "command"
    assert all(any(word.text in part for part in command) for word in found)


@pytest.mark.parametrize("place", [("path",), ("name",)])
def test_a_text_that_stands_twice_by_chance_is_judged_by_where_it_stands(place: tuple[str]) -> None:
    with ToolPack(make=CommandTools).lab() as lab:
        case = lab.case("find")
        no_option(case, {"path": "-x", "name": "-x"}, place, "-x")  # behind -name it is a value, before it a path
