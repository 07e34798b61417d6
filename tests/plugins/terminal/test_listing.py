"""``ditto plugins`` and ``ditto tools``."""

from __future__ import annotations

import json
import subprocess
import sys

import attrs
import pytest

from ditto_core import Sandbox, ToolRegistry, installed_plugins, load_plugin, to_wire
from tests.plugins.terminal.conftest import Ditto
from tests.support.plugins import Site

PACK = """
from ditto_core import Tool, ToolOutcome, hookimpl

async def execute(arguments, context):
    return ToolOutcome(content="done")

class Plugin:
    api_version = 1

    @hookimpl
    def ditto_tools(self):
        yield Tool(name="plain", input_schema={"type": "object"}, validate=dict, execute=execute,
                   description="Says it is done.\\nAnd more.\\x1b[31m", title="Plain", effects={"write", "network"},
                   output_schema={"type": "string"}, requires_approval=True)
"""


def test_plugins_are_those_that_the_core_knows(ditto: Ditto, site: Site) -> None:
    site.install("broken-pack", "0.9", plugins=["broken = broken_module:Plugin"], broken_module="1 / 0")
    ran = ditto("plugins")
    assert ran.status == 0
    assert [tuple(line.split("\t")) for line in ran.out.splitlines()] == [
        attrs.astuple(plugin) for plugin in installed_plugins()
    ]
    assert "broken\tbroken-pack\t0.9\tbroken_module:Plugin" in ran.out
    assert json.loads(ditto("plugins", "--json").out) == [attrs.asdict(plugin) for plugin in installed_plugins()]


@pytest.mark.parametrize("words", [["--help"], ["plugins"]], ids=["help", "plugins"])
def test_a_list_imports_neither_the_core_nor_a_plugin(words: list[str]) -> None:
    source = (
        "import sys\nfrom ditto_terminal import main\n"
        f"sys.argv = ['ditto', *{words!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print([name for name in sys.modules if name.partition('.')[0] in "
        "{'ditto_core', 'ditto_commands', 'ditto_testkit', 'ditto_mcp', 'mcp', 'hypothesis', 'pluggy', 'asyncio'}])"
    )
    ran = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_tools_are_named_with_effects_and_the_first_line_of_what_they_do(ditto: Ditto, site: Site) -> None:
    site.install("some-pack", plugins=["some = some_module:Plugin"], some_module=PACK)
    ran = ditto("tools", "-p", "some")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "plain\tnetwork, write\tasked for\tSays it is done.\n"


def test_a_tool_that_is_named_is_shown_with_its_schema(ditto: Ditto, site: Site) -> None:
    site.install("some-pack", plugins=["some = some_module:Plugin"], some_module=PACK)
    shown = ditto("tools", "plain", "-p", "some").out
    assert shown.startswith("plain\nSays it is done.\nAnd more.\\x1b[31m\neffects: network, write\nasks for approval")
    assert '"type": "object"' in shown


def test_definitions_as_json_are_those_of_the_wire(ditto: Ditto) -> None:
    registry = ToolRegistry()
    for tool in load_plugin("commands").ditto_tools():
        registry.register(tool)
    expected = [to_wire(one) for one in registry.list(Sandbox(tools=["*"]))]
    assert json.loads(ditto("tools", "-p", "commands", "--json").out) == expected
    assert json.loads(ditto("tools", "wc", "cat", "-p", "commands", "--json").out) == [
        one
        for name in ("wc", "cat")
        for one in expected
        if one["name"] == name  # type: ignore[call-overload, index]
    ]


def test_definitions_for_an_mcp_client_have_its_names_and_no_other(ditto: Ditto, site: Site) -> None:
    site.install("some-pack", plugins=["some = some_module:Plugin"], some_module=PACK)
    (found,) = json.loads(ditto("tools", "-p", "some", "--format", "mcp").out)
    assert found.keys() == {"name", "title", "description", "inputSchema", "outputSchema"}


def test_a_broken_plugin_is_named_and_the_others_are_listed(ditto: Ditto, site: Site) -> None:
    site.install("broken-pack", plugins=["broken = broken_module:Plugin"], broken_module="1 / 0")
    ran = ditto("tools", "-p", "broken", "-p", "commands")
    assert ran.status == 3
    assert "'broken' (broken-pack 1.0)" in ran.err
    assert "Traceback" not in ran.err
    assert ran.out.startswith("grep\t")


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["tools"], 2, "ditto plugins lists them"),
        (["tools", "-p", "comands"], 3, "Did you mean 'commands'?"),
        (["tools", "gerp", "-p", "commands"], 3, "Did you mean 'grep'?"),
        (["tools", "-p", "commands", "--format", "xml"], 2, "xml"),
        (["tools", "-p", "commands:max_entry=1"], 3, "Did you mean 'maxEntries'?"),
        (["tools", "-p", "commands:max_entries=many"], 3, "plugins.commands.maxEntries must be an integer"),
    ],
)
def test_what_is_wrong_is_told_with_a_remedy(ditto: Ditto, words: list[str], status: int, told: str) -> None:
    ran = ditto(*words)
    assert ran.status == status
    assert told in ran.err
    assert ran.out == ""
