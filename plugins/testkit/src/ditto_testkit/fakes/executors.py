"""Executors that run nothing, or that remember what they were asked to run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from ditto_core import Command, CommandExecutor, CommandResult

Answer: TypeAlias = CommandResult | BaseException
"""What a scripted executor does with a command: return the result, or raise the exception."""


def printed(stdout: str = "", stderr: str = "", *, exit_code: int = 0) -> CommandResult:
    """Return the result of a command that printed this and ended."""
    return CommandResult(
        stdout=stdout,
        stderr=stderr,
        exit_code=exit_code,
        stdout_bytes=len(stdout.encode()),
        stderr_bytes=len(stderr.encode()),
        truncated=False,
        stopped=False,
    )


def echoed(command: Command) -> CommandResult:
    """Return the result of a command that prints its own words."""
    return printed(" ".join((command.program, *command.args)))


class ScriptedExecutor:
    """Answers every command from a script and remembers it.

    `answers` is one answer for all commands, a function from the command to its answer, or an iterable that is used
    up in order, the last one for good. `pauses` is how often each run gives way to other tasks before it answers;
    with ``hold=True`` it never answers and can only be cancelled.
    """

    def __init__(
        self,
        answers: Answer | Callable[[Command], Answer] | Iterable[Answer] | None = None,
        *,
        local: bool = False,
        pauses: int = 0,
        hold: bool = False,
    ) -> None:
        self.local = local
        self.commands: list[Command] = []
        """What was asked for, in order."""
        self.running = 0
        """How many runs have begun and not ended."""
        self.cancelled = 0
        """How many runs were cancelled."""
        self.entered = asyncio.Event()
        """Set when the first run has begun."""
        self._pauses, self._hold = pauses, hold
        self._answer = _answerer(printed() if answers is None else answers)

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        """Remember the command and do what the script says."""
        self.commands.append(command)
        self.running += 1
        self.entered.set()
        try:
            if self._hold:
                await asyncio.get_running_loop().create_future()
            for _ in range(self._pauses):
                await asyncio.sleep(0)
            answer = self._answer(command)
            if isinstance(answer, BaseException):
                raise answer.with_traceback(None)  # it may be raised again, and would gather all that was ever called
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        else:
            return answer
        finally:
            self.running -= 1


def _answerer(answers: Answer | Callable[[Command], Answer] | Iterable[Answer]) -> Callable[[Command], Answer]:
    if isinstance(answers, CommandResult | BaseException):
        only = answers
        return lambda _: only
    if callable(answers):
        return answers
    rest = list(answers)
    if not rest:
        raise ValueError("ScriptedExecutor: the script has no answer; give at least one.")
    return lambda _: rest.pop(0) if len(rest) > 1 else rest[0]


class RecordingExecutor:
    """Runs commands through another executor and remembers them."""

    def __init__(self, inner: CommandExecutor) -> None:
        self._inner = inner
        self.commands: list[Command] = []
        """What was asked for, in order."""

    @property
    def local(self) -> bool:
        """What the other executor says."""
        return self._inner.local

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        """Remember the command and run it."""
        self.commands.append(command)
        return await self._inner.run(command, workspace=workspace)
