"""Which tools there are, what they say of themselves, and under which limits."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import attrs
import pytest

from ditto_commands import CommandTools
from ditto_core import InvalidValue, PluginHost, Sandbox, Tool
from tests.support.commands import PROGRAMS, TOOLS, FakeExecutor, call, on

ALL = Sandbox(tools=["*"])


@pytest.mark.promise("CMD-01")
def test_there_are_fourteen_tools_and_no_more() -> None:
    tools = CommandTools().ditto_tools()
    assert [tool.name for tool in tools] == list(PROGRAMS)
    assert len(tools) == 14


@pytest.mark.promise("CMD-02")
def test_they_are_ordinary_tools_that_nobody_has_registered() -> None:
    host = PluginHost()
    tools = CommandTools().ditto_tools()
    assert all(type(tool) is Tool for tool in tools)
    assert host.tools.list(ALL) == ()
    host.tools.register(tools[0])
    assert [definition.name for definition in host.tools.list(ALL)] == ["grep"]


@pytest.mark.promise("CMD-02")
def test_neither_an_executor_nor_a_process_is_made() -> None:
    program = (
        "import sys; from ditto_commands import CommandTools; CommandTools().ditto_tools(); "
        "print({'ditto_local', 'subprocess'} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, ditto_core; print({'ditto_local', 'subprocess'} & set(sys.modules))"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ended.stdout == loaded.stdout
    assert "ditto_local" not in ended.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_says_what_it_does(name: str) -> None:
    tool = TOOLS[name]
    assert tool.description.endswith(".")
    assert tool.effects == {"read", "execute"}
    assert not tool.requires_approval
    properties: Any = tool.input_schema["properties"]
    assert all(one["description"].endswith(".") for one in properties.values())
    assert tool.input_schema["additionalProperties"] is False


def test_they_are_registered_as_any_pack_is() -> None:
    host = PluginHost()
    host.register(CommandTools(), prefix="unix_", include=["ls", "cat"])
    assert [definition.name for definition in host.tools.list(ALL)] == ["unix_ls", "unix_cat"]


@pytest.mark.promise("CMD-15")
def test_the_limits_are_those_of_the_specification_unless_others_are_chosen() -> None:
    executor = FakeExecutor()
    call("cat", on("cat", "a"), executor)
    call("cat", on("cat", "a"), executor, plugin=CommandTools(max_entries=7, max_output_bytes=8, max_error_bytes=9))
    assert [(one.max_lines, one.max_stdout, one.max_stderr) for one in executor.asked] == [
        (1_000, 65_536, 8_192),
        (7, 8, 9),
    ]


CAPS = {"max_entries": 10_000, "max_output_bytes": 1_048_576, "max_error_bytes": 65_536}


@pytest.mark.promise("CMD-16")
@pytest.mark.case("TOOL-05")
@pytest.mark.parametrize(("option", "cap"), CAPS.items())
def test_limits_may_be_raised_as_far_as_the_caps(option: str, cap: int) -> None:
    for value in (1, cap):
        assert getattr(CommandTools(**{option: value}), option) == value


@pytest.mark.promise("CMD-16")
@pytest.mark.case("TOOL-05")
@pytest.mark.parametrize(("option", "cap"), CAPS.items())
def test_limits_above_the_caps_and_what_is_no_integer_are_refused_when_the_plugin_is_made(
    option: str, cap: int
) -> None:
    for value in (0, -1, cap + 1, 10**400, True, False, None, "5", 5.0, 5.5, float("nan"), [5], b"5"):
        with pytest.raises(InvalidValue, match=f"^CommandTools.{option}: must be an integer from 1 to {cap}$"):
            CommandTools(**{option: value})


def test_a_plugin_does_not_change() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        CommandTools().max_entries = 5  # type: ignore[misc]


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="max_lines"):
        CommandTools(max_lines=5)  # type: ignore[call-arg]
