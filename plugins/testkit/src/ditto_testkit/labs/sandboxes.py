"""A sandbox that remembers what it was asked, and an executor that remembers what it was asked to run."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

from ditto_core import Command, CommandExecutor, CommandResult, Sandbox

from ..audit import apart
from ..fakes.executors import RecordingExecutor


class WatchedExecutor(RecordingExecutor):
    """Runs commands through another executor and remembers them; what that one does is not what a tool does."""

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        """Remember the command and run it."""
        with apart():
            return await super().run(command, workspace=workspace)


class RecordingSandbox(Sandbox):
    """Says what every sandbox says, and remembers which permissions it denied.

    ``commands`` are those that reached its executor, with permission or without, and ``answered`` are the files,
    folders and programs for which it has given an answer, or an exception.
    """

    denied: list[str]
    commands: list[Command]
    answered: list[str]

    def __init__(self, *args: Any, executor: CommandExecutor | None = None, **kwargs: Any) -> None:
        watched = None if executor is None else WatchedExecutor(executor)
        super().__init__(*args, executor=watched, **kwargs)
        object.__setattr__(self, "denied", [])
        object.__setattr__(self, "answered", [])
        object.__setattr__(self, "commands", [] if watched is None else watched.commands)

    def require(self, kind: Any, name: str | None = None) -> None:
        """Remember the question, then answer as every sandbox does."""
        if not self.allows(kind, name):
            self.denied.append(kind)
        super().require(kind, name)

    async def list_files(self, path: str | PurePath = ".", **options: Any) -> list[str]:
        """List them and remember that it is done."""
        try:
            return await super().list_files(path, **options)
        finally:
            self.answered.append(str(path))

    async def read_text(self, path: str | PurePath, **options: Any) -> str:
        """Read it and remember that it is done."""
        try:
            return await super().read_text(path, **options)
        finally:
            self.answered.append(str(path))

    async def write_text(self, path: str | PurePath, text: str) -> None:
        """Write it and remember that it is done."""
        try:
            await super().write_text(path, text)
        finally:
            self.answered.append(str(path))

    async def run(self, command: Command) -> CommandResult:
        """Run it and remember that it is done."""
        try:
            return await super().run(command)
        finally:
            self.answered.append(str(getattr(command, "program", command)))
