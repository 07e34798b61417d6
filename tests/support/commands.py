"""The read-only commands with executors that tests hold in their hands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import attrs

from ditto_commands import CommandTools
from ditto_core import (
    Command,
    CommandExecutor,
    CommandResult,
    ExternalResult,
    JsonObject,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolRegistry,
)
from tests.support import run

PROGRAMS: Final = (
    "grep",
    "ls",
    "cat",
    "find",
    "head",
    "tail",
    "wc",
    "sort",
    "uniq",
    "cut",
    "stat",
    "file",
    "du",
    "pwd",
)
READERS: Final = ("cat", "head", "tail", "wc", "sort", "uniq", "cut", "grep")
"""The programs that open what they are given."""
WITH_PATH: Final = tuple(name for name in PROGRAMS if name != "pwd")
TOOLS: Final[dict[str, Tool[Any]]] = {tool.name: tool for tool in CommandTools().ditto_tools()}


def on(name: str, path: Any, **more: Any) -> JsonObject:
    """Return arguments of the tool that name a path and are complete."""
    given: dict[str, Any] = {"grep": {"pattern": "needle", "paths": [path]}, "cut": {"path": path, "fields": "1"}}
    return {**given.get(name, {} if name == "pwd" else {"path": path}), **more}


def done(stdout: str = "", stderr: str = "", exit_code: int | None = 0, **more: Any) -> CommandResult:
    """Return what an executor answers; sizes are those of the texts unless given."""
    sizes = {"stdout_bytes": len(stdout.encode()), "stderr_bytes": len(stderr.encode())}
    stopped = exit_code is None
    fields = {"truncated": stopped, "stopped": stopped, **sizes, **more}
    return CommandResult(stdout=stdout, stderr=stderr, exit_code=exit_code, **fields)


@attrs.define
class FakeExecutor:
    """Writes down what it is asked and gives its one answer, or raises it."""

    answer: CommandResult | BaseException = attrs.field(factory=done)
    local: bool = False
    asked: list[Command] = attrs.field(factory=list)
    workspaces: list[Path] = attrs.field(factory=list)

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        self.asked.append(command)
        self.workspaces.append(workspace)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def call(
    name: str,
    arguments: Any,
    executor: CommandExecutor | None,
    *,
    workspace: Path | str = ".",
    plugin: CommandTools | None = None,
    tools: Iterable[str] = ("*",),
    execute: bool = True,
) -> ExternalResult:
    """Call one tool through a registry, with nothing permitted but what commands need."""
    registry = ToolRegistry()
    registry.register_all(plugin.ditto_tools() if plugin else TOOLS.values())
    sandbox = Sandbox(workspace, tools=tools, execute=execute, executor=executor)
    asked = ToolCall(id="call-1", name=name, arguments=arguments)
    return run(registry.call(asked, ToolContext(sandbox=sandbox, call_id="call-1")), timeout=60)


def about(result: ExternalResult) -> dict[str, Any]:
    """Return the structured content of a command's result."""
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def words(name: str, arguments: JsonObject) -> tuple[str, ...]:
    """Return the argument vector that the tool makes of arguments; raises what `validate` raises."""
    made: tuple[str, ...] = TOOLS[name].validate(arguments).words
    return made
