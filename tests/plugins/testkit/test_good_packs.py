"""Packs of every kind that keep the rules pass all checks."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor

import attrs
import pytest

from ditto_core import (
    Command,
    FileRefused,
    JsonObject,
    Tool,
    ToolContext,
    ToolFailed,
    ToolOutcome,
    hookimpl,
    tool,
)
from ditto_local import LocalExecutor
from ditto_testkit import Plan, ToolPack, run_checks
from tests.plugins.testkit.broken_services import ask_well, served
from tests.plugins.testkit.packs import Pack, pack, printed, read, reading, show, showing

pytestmark = pytest.mark.once


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


@tool(effects={"read", "write"})
async def note(path: str = "", text: str = "", *, context: ToolContext) -> str:
    """Write a note by itself, of a file if one is named: what it needs depends on what it is asked."""
    if path:
        try:
            text += (await context.sandbox.read_text(path))[:100]
        except FileRefused as error:
            raise ToolFailed("READ_FAILED", "The file cannot be read.") from error
    if text:
        context.sandbox.require("write")
        (context.sandbox.workspace / "note").write_text(text, encoding="utf-8")
    return "noted"


@tool(effects={"read", "execute", "network"})
async def several(
    paths: tuple[str, ...] = (), old: str = "", new: str = "", *, context: ToolContext
) -> dict[str, int]:
    """Do what each argument says, or nothing, and ask for the permission when it comes to that."""
    read = printed_bytes = 0
    for path in [*paths[:5], *filter(None, [old, new])]:
        try:
            read += len(await context.sandbox.read_text(path))
        except FileRefused as error:
            raise ToolFailed("READ_FAILED", "The file cannot be read.") from error
    if old and new:
        result = await context.sandbox.run(Command("diff", ("--", f"./{old}", f"./{new}"), max_stdout=1_000))
        printed_bytes = len(result.stdout)
    if not paths:
        context.sandbox.require("network", "https://api.example.com")
    return {"read": read, "printed": printed_bytes}


async def attached(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Hand the text to a script as an operand, and as the value of an option that it comes and goes with."""
    words = ("-c", 'exec cat -- "$1"', "sh", str(arguments["path"]))
    return printed(await context.sandbox.run(Command("sh", words, max_stdout=1_000)))


async def resolved(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Print a file that is no link out of the workspace, nor a pipe."""
    if not context.sandbox.resolve(str(arguments["path"])).is_file():
        raise ToolFailed("READ_FAILED", "There is no such file.")
    return await show(arguments, context)


async def in_threads(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Use threads and files, all of which end with the call."""

    def work() -> int:
        with tempfile.TemporaryFile() as file, ThreadPoolExecutor(1) as pool:
            return pool.submit(file.fileno).result()

    context.sandbox.require("write")
    await asyncio.to_thread(work)
    return await read(arguments, context)


async def by_name(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Take a text as the value of an option, in one word with it."""
    command = Command("seek", (f"--name={arguments['path']}", "--", "."), max_stdout=1_000)
    return printed(await context.sandbox.run(command))


def _local() -> LocalExecutor:
    return LocalExecutor(["cat"])


GOOD = {
    "reads": pack(lambda: [reading()]),
    "runs": pack(lambda: [showing()]),
    "writes": pack(lambda: [keep]),
    "plain": pack(lambda: [plain]),
    "network": pack(lambda: [fetch], no_backend="it opens no connection"),
    "a service": served(ask_well),
    "an option with a value": pack(lambda: [showing(execute=search)], option_values={"-e"}),
    "two permissions, asked for when needed": pack(lambda: [note]),
    "several optional paths": pack(lambda: [several], no_backend="it opens no connection"),
    "a script with operands": pack(lambda: [showing(execute=attached)]),
    "threads and files that end": pack(lambda: [reading(execute=in_threads, effects={"read", "write"})]),
    "an executor of its own": attrs.evolve(pack(lambda: [showing(execute=resolved)]), executor=_local),
    "an option with a value in one word": pack(lambda: [showing(execute=by_name)], option_values={"--name"}),
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
