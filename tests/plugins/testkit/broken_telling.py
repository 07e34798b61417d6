"""Packs that break one rule each: TP-028, in each way in which words of a backend get out."""

from __future__ import annotations

from collections.abc import Callable

from ditto_core import (
    Command,
    CommandResult,
    CommandTimeout,
    JsonObject,
    ToolContext,
    ToolFailed,
    ToolOutcome,
    safe_message,
)
from ditto_testkit import ToolPack
from tests.plugins.testkit.breaking import breaks
from tests.plugins.testkit.packs import pack, printed, show, showing

FIXED = "The command failed."


def _after(outcome_of: Callable[[CommandResult], ToolOutcome]) -> ToolPack:
    async def run(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        return outcome_of(await context.sandbox.run(Command("cat", ("--", str(arguments["path"])), max_stdout=1_000)))

    return pack(lambda: [showing(execute=run)])


def _caught(*kinds: type[Exception], outcome_of: Callable[[Exception], ToolOutcome]) -> ToolPack:
    async def run(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        try:
            return await show(arguments, context)
        except kinds as error:
            return outcome_of(error)

    return pack(lambda: [showing(execute=run)])


def _failed(text: str) -> ToolOutcome:
    raise ToolFailed("COMMAND_FAILED", safe_message(text, FIXED))


@breaks("TP-028")
def tells_an_exception_in_metadata() -> ToolPack:
    def outcome_of(error: Exception) -> ToolOutcome:
        return ToolOutcome(content="failed", metadata={"debug": repr(error)})

    return _caught(OSError, RuntimeError, outcome_of=outcome_of)


@breaks("TP-028")
def tells_an_exception_that_looks_safe() -> ToolPack:
    return _caught(RuntimeError, outcome_of=lambda error: _failed(str(error)))


@breaks("TP-028")
def tells_an_exception_in_content() -> ToolPack:
    return _caught(OSError, outcome_of=lambda error: ToolOutcome(content=safe_message(str(error), FIXED)))


@breaks("TP-028")
def tells_the_errors_of_a_command_that_look_safe() -> ToolPack:
    def outcome_of(result: CommandResult) -> ToolOutcome:
        return _failed(result.stderr.strip()) if result.exit_code else printed(result)

    return _after(outcome_of)


@breaks("TP-028")
def tells_the_errors_of_a_command_that_look_safe_as_they_are() -> ToolPack:
    def outcome_of(result: CommandResult) -> ToolOutcome:
        return _failed(result.stderr) if result.exit_code else printed(result)

    return _after(outcome_of)


@breaks("TP-028")
def tells_the_last_word_of_an_output() -> ToolPack:
    def outcome_of(result: CommandResult) -> ToolOutcome:
        words = result.stdout.split()
        return _failed(f"It ended with {words[-1] if words else 'nothing'}.") if result.exit_code else printed(result)

    return _after(outcome_of)


@breaks("TP-028")
def tells_warnings_in_metadata() -> ToolPack:
    def outcome_of(result: CommandResult) -> ToolOutcome:
        good = printed(result)
        if result.exit_code or not result.stderr:
            return good
        about = good.structured_content
        return ToolOutcome(content=good.content, structured_content=about, metadata={"warnings": result.stderr[:100]})

    return _after(outcome_of)


@breaks("TP-028")
def tells_what_was_printed_until_the_deadline() -> ToolPack:
    def outcome_of(error: Exception) -> ToolOutcome:
        assert isinstance(error, CommandTimeout)
        return _failed(f"It printed {error.stdout.strip()[:60]} and hung.")

    return _caught(CommandTimeout, outcome_of=outcome_of)
