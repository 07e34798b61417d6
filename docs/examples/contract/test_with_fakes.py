"""The fakes of the kit in a test of one's own."""

from __future__ import annotations

import asyncio

from ditto_core import Command, CommandTimeout, Sandbox
from ditto_testkit.fakes import ScriptedExecutor, printed


def test_a_command_that_hangs_the_second_time() -> None:
    """A scripted executor answers in order, and the last answer stays."""
    executor = ScriptedExecutor([printed("ready\n"), CommandTimeout("It did not end within 5 s.")])
    sandbox = Sandbox(".", execute=True, executor=executor)

    async def main() -> str:
        first = await sandbox.run(Command("status"))
        try:
            await sandbox.run(Command("status"))
        except CommandTimeout:
            return first.stdout
        return "it did not hang"

    assert asyncio.run(main()) == "ready\n"
    assert [command.program for command in executor.commands] == ["status", "status"]
