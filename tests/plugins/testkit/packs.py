"""A pack out of given tools, and tools that keep every rule, to be broken in one place each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import attrs

from ditto_core import (
    Command,
    CommandResult,
    InteractionError,
    JsonObject,
    Tool,
    ToolContext,
    ToolFailed,
    ToolOutcome,
    hookimpl,
)
from ditto_testkit import Capabilities, ToolPack

PATH: JsonObject = {
    "type": "string",
    "minLength": 1,
    "maxLength": 60,
    "pattern": r"^(?:[^/\n\x00.][^/\n\x00]*)$(?!\n)",
}
_is_path = re.compile(r"[^/\n\x00.][^/\n\x00]{0,59}").fullmatch


class Pack:
    """A plugin that offers what it is given; a function makes it anew each time."""

    api_version = 1

    def __init__(self, tools: Callable[[], Iterable[Tool[Any]]]) -> None:
        self._tools = tools

    @hookimpl
    def ditto_tools(self) -> list[Tool[Any]]:
        """Offer the tools."""
        return list(self._tools())


def pack(make: Callable[[], Iterable[Tool[Any]]], **capabilities: Any) -> ToolPack:
    """Return what the checks look at; small results make small workspaces, and fast tests."""
    return ToolPack(
        make=lambda: Pack(make), capabilities=Capabilities(**{"max_result_bytes": 100_000, **capabilities})
    )


def validate(arguments: JsonObject) -> JsonObject:
    """Take exactly a path."""
    if list(arguments) != ["path"] or type(arguments["path"]) is not str or not _is_path(arguments["path"]):
        raise ValueError("path: must be the name of a file")
    return arguments


async def read(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Read a file through the sandbox."""
    try:
        text = await context.sandbox.read_text(str(arguments["path"]), max_bytes=65_536)
    except OSError as error:
        raise ToolFailed("READ_FAILED", "The file cannot be read.") from error
    return ToolOutcome(content=text)


async def read_whole(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Read a file of any size through the sandbox."""
    try:
        return ToolOutcome(content=await context.sandbox.read_text(str(arguments["path"]), max_bytes=10**8))
    except OSError as error:
        raise ToolFailed("READ_FAILED", "The file cannot be read.") from error


async def show(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Print a file through the executor."""
    return printed(await context.sandbox.run(Command("cat", ("--", str(arguments["path"])), max_stdout=1_000)))


def printed(result: CommandResult, *, most: int = 1_000) -> ToolOutcome:
    """Return the outcome of a command, cut once more."""
    kept = result.stdout.encode()[:most].decode(errors="ignore")
    told: JsonObject = {"exitCode": result.exit_code, "truncated": result.truncated or kept != result.stdout}
    if result.exit_code:
        error = InteractionError(code="EXIT_STATUS", message=f"The command exited with status {result.exit_code}")
        return ToolOutcome(status="failed", content=kept, structured_content=told, error=error)
    return ToolOutcome(content=kept, structured_content=told)


def reading(**changes: Any) -> Tool[Any]:
    """Return a good tool that reads, with changes."""
    return _tool("peek", read, {"read"}, changes)


def showing(**changes: Any) -> Tool[Any]:
    """Return a good tool that runs a command, with changes."""
    return _tool("show", show, {"execute"}, changes)


def _tool(name: str, execute: Any, effects: Any, changes: dict[str, Any]) -> Tool[Any]:
    schema: JsonObject = {
        "type": "object",
        "properties": {"path": PATH},
        "required": ["path"],
        "additionalProperties": False,
    }
    made: Tool[Any] = Tool(
        name=name,
        description="Does something with a file.",
        input_schema=schema,
        validate=validate,
        execute=execute,
        effects=effects,
    )
    return attrs.evolve(made, **changes) if changes else made
