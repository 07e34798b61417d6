"""The pack as a plugin: its tools, its options, and what its readme promises."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from acme_pack import AcmePack
from ditto_core import PermissionDenied, PluginHost, Sandbox, Tool, ToolCall, ToolContext
from ditto_core.errors import FileReason
from tests.support import run
from tests.support.project import ROOT

README = (ROOT / "docs/examples/acme_pack/README.md").read_text(encoding="utf-8")


def tools(pack: AcmePack) -> dict[str, Tool[Any]]:
    """Give the tools that the pack offers."""
    return {tool.name: tool for tool in pack.ditto_tools()}


def test_every_tool_only_reads_and_says_so() -> None:
    assert {name: tool.effects for name, tool in tools(AcmePack()).items()} == dict.fromkeys(
        ["list_files", "read_text", "search_text", "count_lines"], frozenset({"read"})
    )


def test_every_tool_and_argument_is_described() -> None:
    for tool in tools(AcmePack()).values():
        assert tool.description.endswith(".")
        assert tool.input_schema["additionalProperties"] is False


@pytest.mark.parametrize("name", ["list_files", "read_text", "search_text", "count_lines"])
def test_no_tool_reads_without_the_permission(name: str) -> None:
    host = PluginHost()
    host.register(AcmePack())
    arguments = {"read_text": {"path": "a"}, "search_text": {"pattern": "a"}}.get(name, {})
    call = ToolCall(id="c1", name=name, arguments={**arguments})
    with pytest.raises(PermissionDenied, match="Reading files"):
        run(host.tools.call(call, ToolContext(sandbox=Sandbox(tools=[name]))))


def test_limits_show_in_the_schemas() -> None:
    schemas: dict[str, Any] = {
        name: tool.input_schema for name, tool in tools(AcmePack(max_files=7, max_lines=9)).items()
    }
    assert schemas["list_files"]["properties"]["limit"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 7,
        "default": 7,
        "description": "how many files to name",
    }
    assert schemas["read_text"]["properties"]["max_lines"]["maximum"] == 9


@pytest.mark.parametrize("options", [{"max_files": 0}, {"max_lines": "9"}, {"skip": ".git"}, {"skip": [1]}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        AcmePack(**options)


def test_the_readme_names_every_tool_and_every_failure() -> None:
    assert re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE) == list(tools(AcmePack()))
    assert set(re.findall(r"`(FILE_\w+)`", README)) == {f"FILE_{reason.upper()}" for reason in get_args(FileReason)}
