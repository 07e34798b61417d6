"""A tool out of the arguments of a command."""

from __future__ import annotations

from typing import Any

import attrs

from ditto_core import (
    Command,
    CommandResult,
    InteractionError,
    InvalidValue,
    JsonObject,
    Tool,
    ToolContext,
    ToolOutcome,
    tool,
)

from .arguments import CommandArguments
from .checks import check_operands
from .limits import Limits
from .rules import PATH_RULE
from .searching import Grep


def command_tool(kind: type[CommandArguments], limits: Limits) -> Tool[Any]:
    """Return the tool that runs one kind of command through the sandbox, once a call."""

    async def execute(arguments: CommandArguments, context: ToolContext) -> ToolOutcome:
        sandbox = context.sandbox
        sandbox.require("execute")
        if sandbox.executor is not None and sandbox.executor.local:
            await context.in_thread(check_operands, arguments, sandbox)
        command = Command(
            arguments.program,
            arguments.words,
            max_stdout=limits.max_output_bytes,
            max_stderr=limits.max_error_bytes,
            max_lines=limits.max_entries,
        )
        return _outcome(command, limits.cut(await sandbox.run(command)), limits)

    execute.__annotations__["arguments"] = kind
    made: Tool[Any] = tool(name=kind.program, description=kind.description, effects={"read", "execute"})(execute)

    def validate(arguments: JsonObject) -> Any:
        try:
            return made.validate(arguments)
        except InvalidValue as error:
            if error.field.partition("[")[0] in ("path", "paths") and "pattern" in error.problem:
                raise InvalidValue(error.field, PATH_RULE) from None
            raise

    return attrs.evolve(made, validate=validate)


def _outcome(command: Command, result: CommandResult, limits: Limits) -> ToolOutcome:
    """Return what became of a command: its output as content, everything else about it as structured content."""
    about: JsonObject = {
        "command": command.program,
        "args": list(command.args),
        "stderr": result.stderr,
        "exitCode": result.exit_code,
        "truncated": result.truncated,
        "cut": [output for output in ("stdout", "stderr") if output in result.cut],
        "stopped": result.stopped,
        "stdoutBytes": result.stdout_bytes,
        "stderrBytes": result.stderr_bytes,
        "maxEntries": limits.max_entries,
        "maxOutputBytes": limits.max_output_bytes,
        "maxErrorBytes": limits.max_error_bytes,
    }
    if not result.exit_code:  # 0, or None when the executor has stopped it because of its output
        return ToolOutcome(content=result.stdout, structured_content=about)
    error = InteractionError(
        code="COMMAND_EXIT_NONZERO", message=_said(command.program, result.exit_code), retryable=False
    )
    return ToolOutcome(status="failed", content=result.stdout, structured_content=about, error=error)


def _said(program: str, exit_code: int) -> str:
    if exit_code < 0:
        return f"{program} was ended by signal {-exit_code}"
    meaning = ": no line matched" if program == Grep.program and exit_code == 1 else ""
    return f"{program} exited with status {exit_code}{meaning}"
