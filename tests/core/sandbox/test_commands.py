"""Commands and results as values."""

from __future__ import annotations

from typing import Any

import pytest

from ditto_core import Command, CommandResult, InvalidValue
from ditto_core.sandbox.commands import MAX_COMMAND_BYTES


@pytest.mark.promise("D-SBX-10")
def test_a_command_carries_its_limits() -> None:
    command = Command("grep", ("-n", "--", "x", "a.txt"))
    assert (command.program, command.args) == ("grep", ("-n", "--", "x", "a.txt"))
    assert (command.max_stdout, command.max_stderr, command.max_lines) == (65_536, 8_192, None)
    assert Command("pwd") == Command("pwd", (), max_stdout=65_536)
    assert Command("ls", max_stdout=1, max_stderr=16_777_216, max_lines=1_000_000).max_lines == 1_000_000


BAD_COMMANDS: list[tuple[dict[str, Any], str]] = [
    ({"program": ""}, "Command.program"),
    ({"program": " "}, "Command.program"),
    ({"program": "a\0"}, "Command.program"),
    ({"program": "\ud800"}, "Command.program"),
    ({"program": None}, "Command.program"),
    ({"program": b"ls"}, "Command.program"),
    ({"args": ["a"]}, "Command.args"),
    ({"args": "a"}, "Command.args"),
    ({"args": None}, "Command.args"),
    ({"args": ("a", 1)}, "Command.args[1]"),
    ({"args": ("a", "b", "c\0d")}, "Command.args[2]"),
    ({"args": ("\udc80",)}, "Command.args[0]"),
    ({"args": ("x" * MAX_COMMAND_BYTES,)}, "Command"),
    ({"args": ("",) * MAX_COMMAND_BYTES}, "Command"),
    ({"args": ("é" * (MAX_COMMAND_BYTES // 2),)}, "Command"),
    ({"max_stdout": 0}, "Command.max_stdout"),
    ({"max_stdout": 16_777_217}, "Command.max_stdout"),
    ({"max_stdout": True}, "Command.max_stdout"),
    ({"max_stdout": None}, "Command.max_stdout"),
    ({"max_stderr": 1.0}, "Command.max_stderr"),
    ({"max_stderr": "1"}, "Command.max_stderr"),
    ({"max_lines": 0}, "Command.max_lines"),
    ({"max_lines": False}, "Command.max_lines"),
    ({"max_lines": 1_000_001}, "Command.max_lines"),
]


@pytest.mark.parametrize(("fields", "field"), BAD_COMMANDS)
@pytest.mark.promise("D-SBX-10")
def test_a_bad_command_is_refused_with_the_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        Command(**{"program": "ls", **fields})
    assert caught.value.field == field


def test_the_longest_command_is_accepted() -> None:
    for args in (("x" * (MAX_COMMAND_BYTES - 4),), ("",) * (MAX_COMMAND_BYTES - 3)):
        assert Command("ls", args).args == args


GOOD = {
    "stdout": "a\n",
    "stderr": "",
    "exit_code": 0,
    "stdout_bytes": 2,
    "stderr_bytes": 0,
    "truncated": False,
    "stopped": False,
}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"exit_code": 1},
        {"exit_code": -9},
        {"truncated": True},
        {"stopped": True, "truncated": True, "exit_code": None},
        {"stdout": "", "stdout_bytes": 10**12, "truncated": True},
        {"truncated": True, "cut": frozenset({"stdout"})},
        {"truncated": True, "cut": frozenset({"stdout", "stderr"})},
        {"cut": frozenset()},
    ],
)
@pytest.mark.promise("D-SBX-10")
def test_a_result_tells_what_became_of_the_command(fields: dict[str, Any]) -> None:
    values = {**GOOD, **fields}
    result = CommandResult(**values)
    assert {name: getattr(result, name) for name in values} == values


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"stdout": b"a"}, "stdout"),
        ({"stdout": "\ud800"}, "stdout"),
        ({"stderr": None}, "stderr"),
        ({"exit_code": None}, "exit_code"),
        ({"exit_code": True}, "exit_code"),
        ({"exit_code": "0"}, "exit_code"),
        ({"stdout_bytes": -1}, "stdout_bytes"),
        ({"stdout_bytes": 2.0}, "stdout_bytes"),
        ({"stderr_bytes": False}, "stderr_bytes"),
        ({"truncated": 0}, "truncated"),
        ({"stopped": None}, "stopped"),
        ({"stopped": True, "truncated": True}, "exit_code"),
        ({"stopped": True, "exit_code": None}, "truncated"),
        ({"cut": frozenset({"stdout"})}, "truncated"),
        ({"truncated": True, "cut": {"stdout"}}, "cut"),
        ({"truncated": True, "cut": "stdout"}, "cut"),
        ({"truncated": True, "cut": None}, "cut"),
        ({"truncated": True, "cut": frozenset({"stdin"})}, "cut"),
        ({"truncated": True, "cut": frozenset({5})}, "cut"),
    ],
)
@pytest.mark.promise("D-SBX-10")
def test_a_result_that_contradicts_itself_is_refused(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        CommandResult(**{**GOOD, **fields})
    assert caught.value.field == f"CommandResult.{field}"


def test_every_field_of_a_result_is_named_and_given() -> None:
    with pytest.raises(TypeError):
        CommandResult("a", "", 0, 1, 0, False, False)  # type: ignore[call-arg]
    for name in GOOD:
        with pytest.raises(TypeError):
            CommandResult(**{key: value for key, value in GOOD.items() if key != name})  # type: ignore[arg-type]
