"""Packs of every kind that keep the rules pass all checks."""

from __future__ import annotations

import attrs
import pytest

from ditto_core import Command, JsonObject, Tool, ToolContext, ToolOutcome, hookimpl, tool
from ditto_testkit import Plan, ToolPack, run_checks
from tests.plugins.testkit.packs import Pack, pack, printed, reading, showing

pytestmark = pytest.mark.at_both_ends


@tool(effects={"read", "write"})
async def keep(name: str, text: str, *, context: ToolContext) -> str:
    """Write a text into a file of the workspace."""
    await context.sandbox.write_text(f"kept-{len(name)}", text)
    return "kept"


@tool(effects={"read"})
def plain(path: str, *, context: ToolContext) -> list[str]:
    """Name files, from a plain function's thread."""
    return [name for name in context.wait(context.sandbox.list_files()) if path in name][:80]


@tool(effects={"network"})
async def fetch(id: int, *, context: ToolContext) -> str:
    """Ask for permission to connect, as a tool with a fake transport does."""
    context.sandbox.require("network", "https://api.example.com")
    return f"record {id}"


async def search(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Take a pattern as the value of an option."""
    command = Command("grep", ("-e", str(arguments["path"]), "--", "a.txt"), max_stdout=1_000)
    return printed(await context.sandbox.run(command))


class Opened(Pack):
    """A pack with a resource."""

    async def __aenter__(self) -> None:
        self.open = True

    async def __aexit__(self, *error: object) -> None:
        self.open = False

    @hookimpl
    def ditto_tools(self) -> list[Tool[object]]:
        @tool()
        async def ask(question: str) -> bool:
            """Say whether the resource is open."""
            assert self.open
            return True

        return [ask]


GOOD = {
    "reads": pack(lambda: [reading()]),
    "runs": pack(lambda: [showing()]),
    "writes": pack(lambda: [keep]),
    "plain": pack(lambda: [plain]),
    "network": pack(lambda: [fetch]),
    "an option with a value": pack(lambda: [showing(execute=search)], option_values={"-e"}),
    "resources": ToolPack(make=lambda: Opened(list)),
    "narrower by declaration": pack(
        lambda: [attrs.evolve(plain, name="narrow", validate=_only_a)], narrower_than_schema={"narrow": "only a"}
    ),
}


def _only_a(arguments: JsonObject) -> object:
    parsed = plain.validate(arguments)
    if str(arguments["path"]) > "zzz":
        raise ValueError("path: must not come so late")
    return parsed


@pytest.mark.promise("D-KIT-01", "D-KIT-08")
@pytest.mark.parametrize("good", GOOD.values(), ids=GOOD)
def test_a_good_pack_passes_all(good: ToolPack) -> None:
    found = run_checks(good, plan=Plan(examples=5, derandomize=True))
    assert [(one.check.id, one.text) for one in found if one.status != "passed"] == []
