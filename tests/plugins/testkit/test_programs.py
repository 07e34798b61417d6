"""What the words of a command are to its program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ],
)
def test_the_text_that_a_program_runs_is_found(command: list[str]) -> None:
    found = [word.text for word in words(command[0], command[1:]) if word.role == "script"]
    assert found == [T]


@pytest.mark.parametrize(
    "command",
    [
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


_PARTS = st.sampled_from(["sh", "env", "find", "sed", "-c", "-e", "--", "-exec", ";", "-", "A=1", "x", "-nx", ""])


@given(st.lists(_PARTS, min_size=1, max_size=12))
def test_every_command_can_be_read(command: list[str]) -> None:
    found = list(words(command[0], command[1:]))
    assert found[0].role == "command"
    assert all(any(word.text in part for part in command) for word in found)
