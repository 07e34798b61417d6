"""For each check of executors an executor that breaks that rule and no other."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import attrs

from ditto_core import Command, CommandResult, CommandTimeout
from ditto_local import LocalExecutor
from ditto_testkit import Capabilities, ExecutorSubject


class Good(LocalExecutor):
    """The local executor; the others change one thing."""

    programs: tuple[str, ...] = (sys.executable,)

    def __init__(self, timeout: float) -> None:
        super().__init__(self.programs, timeout=timeout)


class NotLocalNorRemote(Good):
    local: Any = None


class AlwaysZero(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        found = await super().run(command, workspace=workspace)
        return found if found.stopped else attrs.evolve(found, exit_code=min(found.exit_code or 0, 3))


class Strips(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        code, words = command.args[:4], command.args[4:]
        return await super().run(
            attrs.evolve(command, args=(*code, *(w.strip() or w for w in words))), workspace=workspace
        )


class Speaks(Good):
    """Gives the program a standard input, by way of a wrapper in Python."""

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        code = "import sys; sys.stdin.buffer.read()"
        args = command.args
        if len(args) > 3 and "sys.stdin" in args[3]:
            args = ("-I", "-S", "-c", f"{code}; print(5)")
        return await super().run(attrs.evolve(command, args=args), workspace=workspace)


class KeepsMore(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        more = attrs.evolve(command, max_stdout=command.max_stdout + 1)
        return await super().run(more, workspace=workspace)


class HidesCuts(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        found = await super().run(command, workspace=workspace)
        return found if found.stopped else attrs.evolve(found, truncated=False)


class SaysItEnded(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        found = await super().run(command, workspace=workspace)
        return attrs.evolve(found, stopped=False, exit_code=0) if found.stopped else found


class Inherits(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        return await LocalExecutor(self.programs, timeout=self.timeout, env=os.environ).run(
            command, workspace=workspace
        )


class RunsShells(Good):
    programs = (sys.executable, "sh", "/bin/sh")


class NoTimeout(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        try:
            return await super().run(command, workspace=workspace)
        except CommandTimeout as late:
            size = len(late.stdout.encode())
            return CommandResult(
                stdout=late.stdout,
                stderr="",
                exit_code=0,
                stdout_bytes=size,
                stderr_bytes=0,
                truncated=False,
                stopped=False,
            )


class GoesOn(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        return await asyncio.shield(super().run(command, workspace=workspace))


class Shares(Good):
    latest: ClassVar[list[Command]] = []

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        self.latest[:] = [command]
        await asyncio.sleep(0)
        return await super().run(self.latest[0], workspace=workspace)


class LeavesADescriptor(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        os.open(os.devnull, os.O_RDONLY)
        return await super().run(command, workspace=workspace)


class Elsewhere(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        with tempfile.TemporaryDirectory() as folder:
            return await super().run(command, workspace=Path(folder))


def executor(make: Callable[[float], Any]) -> ExecutorSubject:
    return ExecutorSubject(make=make, capabilities=Capabilities(call_timeout=20.0))


BROKEN: dict[str, Callable[[float], Any]] = {
    "EX-001 says not where it runs": NotLocalNorRemote,
    "EX-002 hides exit statuses": AlwaysZero,
    "EX-003 strips arguments": Strips,
    "EX-004 speaks to its programs": Speaks,
    "EX-005 keeps one byte more": KeepsMore,
    "EX-005 hides cuts": HidesCuts,
    "EX-006 says that a stopped command ended": SaysItEnded,
    "EX-007 inherits the environment": Inherits,
    "EX-008 runs shells": RunsShells,
    "EX-009 gives a result after the deadline": NoTimeout,
    "EX-010 goes on after a cancellation": GoesOn,
    "EX-011 mixes commands": Shares,
    "EX-012 leaves a descriptor": LeavesADescriptor,
    "EX-013 runs elsewhere": Elsewhere,
}
