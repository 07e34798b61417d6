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

from ditto_core import Command, CommandResult, CommandTimeout, CommandUnavailable, PermissionDenied
from ditto_local import LocalExecutor
from ditto_testkit import Capabilities, ExecutorSubject
from tests.plugins.testkit import left_behind
from tests.plugins.testkit.own_executor import OwnExecutor


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
        left_behind.an_open_file()
        return await super().run(command, workspace=workspace)


class LeavesADescriptorWhenLate(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        try:
            return await super().run(command, workspace=workspace)
        except CommandTimeout:
            left_behind.an_open_file()
            raise


class LeavesADescriptorWhenItCannotStart(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        try:
            return await super().run(command, workspace=workspace)
        except CommandUnavailable:
            left_behind.an_open_file()
            raise


class LeavesAZombie(Good):
    """Starts a process that nobody waits for, whenever one was too slow."""

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        try:
            return await super().run(command, workspace=workspace)
        except CommandTimeout:
            left_behind.a_process(sys.executable, "-I", "-S", "-c", "")
            raise


class LeavesAThread(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        left_behind.a_thread()
        return await super().run(command, workspace=workspace)


class LeavesATask(Good):
    tasks: ClassVar[list[Any]] = []

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        self.tasks.append(asyncio.ensure_future(asyncio.Event().wait()))
        return await super().run(command, workspace=workspace)


class StartsLate(Good):
    """Goes on in a thread, which a cancellation does not reach."""

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        return await asyncio.to_thread(asyncio.run, super().run(command, workspace=workspace))


class EndsAll(Good):
    """Ends every command when one is cancelled."""

    running: ClassVar[set[Any]] = set()

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        task = asyncio.ensure_future(super().run(command, workspace=workspace))
        self.running.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            for each in tuple(self.running):
                each.cancel()
            await asyncio.gather(*self.running, return_exceptions=True)
            raise
        finally:
            self.running.discard(task)


class RunsNamesakes(Good):
    """Looks at the last part of a program's name only."""

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        if Path(command.program).name == Path(sys.executable).name:
            return await super().run(attrs.evolve(command, program=sys.executable), workspace=workspace)
        return await super().run(command, workspace=workspace)


class TellsOfTheHost(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        try:
            return await super().run(command, workspace=workspace)
        except PermissionDenied as refusal:
            raise PermissionDenied(f"{refusal} It was asked for in {workspace}.") from None


class NamesTheWrongOutput(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        found = await super().run(command, workspace=workspace)
        return attrs.evolve(found, cut=frozenset({"stderr"})) if found.truncated else found


class Synchronous(Good):
    def run(self, command: Command, *, workspace: Path) -> Any:
        return super().run(command, workspace=workspace).close()


class CannotBeMade:
    def __init__(self, timeout: float) -> None:
        raise ConnectionError("nobody is there")


AT_IMPORT = dict(os.environ)
SOME = ("LANG", "PATH", "USER", "VIRTUAL_ENV")


def own(**options: Any) -> Callable[[float], OwnExecutor]:
    return lambda timeout: OwnExecutor(timeout=timeout, **{k: v() if callable(v) else v for k, v in options.items()})


def without(how: str) -> frozenset[str]:
    return frozenset({"end", "deadline", "cancellation"}) - {how}


class Elsewhere(Good):
    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        with tempfile.TemporaryDirectory() as folder:
            return await super().run(command, workspace=Path(folder))


def executor(make: Callable[[float], Any]) -> ExecutorSubject:
    return ExecutorSubject(make=make, capabilities=Capabilities(call_timeout=6.0))


BROKEN: dict[str, Callable[[float], Any]] = {
    "EX-001 says not where it runs": NotLocalNorRemote,
    "EX-001 is not async": Synchronous,
    "EX-001 cannot be made": CannotBeMade,
    "EX-002 hides exit statuses": AlwaysZero,
    "EX-003 strips arguments": Strips,
    "EX-004 hands its standard input on": own(stdin=None),
    "EX-004 leaves standard input open": own(stdin=asyncio.subprocess.PIPE),
    "EX-005 names the wrong output": NamesTheWrongOutput,
    "EX-005 keeps one byte more": KeepsMore,
    "EX-005 hides cuts": HidesCuts,
    "EX-006 says that a stopped command ended": SaysItEnded,
    "EX-006 keeps all that is printed": own(hoards=40_000_000),
    "EX-007 inherits the environment": Inherits,
    "EX-007 copies the environment when it is imported": own(env=AT_IMPORT),
    "EX-007 inherits what looks harmless": own(env=lambda: {k: os.environ[k] for k in SOME if k in os.environ}),
    "EX-008 runs shells": RunsShells,
    "EX-008 runs namesakes": RunsNamesakes,
    "EX-008 tells of the host": TellsOfTheHost,
    "EX-009 gives a result after the deadline": NoTimeout,
    "EX-009 kills only the process": own(group=without("deadline")),
    "EX-009 keeps more than the limit": own(late_limit=False),
    "EX-009 loses the output": own(late_output=False),
    "EX-010 goes on after a cancellation": GoesOn,
    "EX-010 kills only the process": own(group=without("cancellation")),
    "EX-010 starts late": StartsLate,
    "EX-011 mixes commands": Shares,
    "EX-011 ends all with one": EndsAll,
    "EX-012 leaves a descriptor": LeavesADescriptor,
    "EX-012 leaves a descriptor at a deadline": LeavesADescriptorWhenLate,
    "EX-012 leaves a descriptor of what did not start": LeavesADescriptorWhenItCannotStart,
    "EX-012 leaves a zombie": LeavesAZombie,
    "EX-012 leaves a thread": LeavesAThread,
    "EX-012 leaves a task": LeavesATask,
    "EX-012 leaves what a command started": own(group=without("end")),
    "EX-013 runs elsewhere": Elsewhere,
}
