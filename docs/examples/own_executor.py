"""An executor of one's own: it runs commands through another program, here with the lowest priority."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import attrs

from ditto_core import Command, CommandResult, CommandUnavailable, PermissionDenied, RefusedCall, Sandbox
from ditto_local import LocalExecutor


@attrs.frozen(eq=False)
class PoliteExecutor:
    """Runs the programs of its list through ``nice``, so that they make way for everything else."""

    # The workspace is a folder of this machine, so tools may look at it before they start a command.
    local: ClassVar[bool] = True

    programs: frozenset[str]
    inner: LocalExecutor = attrs.field(factory=lambda: LocalExecutor(["nice"], timeout=10))

    @classmethod
    def of(cls, programs: Iterable[str]) -> PoliteExecutor:
        """Return an executor that may run these programs and no others."""
        return cls(frozenset(programs))

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        """Run the command once; its limits, its deadline and its end are the inner executor's work."""
        if command.program not in self.programs:
            raise PermissionDenied(f"Program {command.program!r} is not one of PoliteExecutor's.")
        polite = attrs.evolve(command, program="nice", args=("-n", "19", "--", command.program, *command.args))
        result = await self.inner.run(polite, workspace=workspace)
        if result.exit_code in (126, 127):  # how nice says that it could not start the program
            raise CommandUnavailable(f"Command {command.program!r} could not be started. Nothing has run.")
        return result


async def main() -> None:
    """Run a program that tells its priority, one that is not permitted, and one that does not exist."""
    with tempfile.TemporaryDirectory() as folder:
        executor = PoliteExecutor.of(["nice", "no-such-program"])
        sandbox = Sandbox(folder, execute=True, executor=executor)
        result = await sandbox.run(Command("nice"))
        print("priority:", result.stdout.strip())
        for program in ("cat", "no-such-program"):
            try:
                await sandbox.run(Command(program))
            except RefusedCall as refusal:
                print(f"{type(refusal).__name__}: {refusal}")


if __name__ == "__main__":
    asyncio.run(main())
