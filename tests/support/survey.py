"""Calls of the read-only commands through host, runtime and OBSERVE, in a process of their own and as any user.

``python -m tests.support.survey USER FOLDER`` becomes USER, makes the calls that the file ``calls.json`` in FOLDER
tells, on its folder ``inside``, and writes ``results.json``. It never reads its standard input.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ditto_commands import CommandTools
from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    DittoError,
    ObserveInput,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    to_wire,
)
from ditto_local import LocalExecutor
from tests.support.project import ROOT

AT_A_TIME = 8


async def survey(workspace: Path, calls: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Make the calls, a few at a time, and return for each the result and its observation, or what was raised."""
    host = PluginHost()
    host.register(CommandTools())
    names = [definition.name for definition in host.tools.list(Sandbox(tools=["*"]))]
    sandbox = Sandbox(workspace, tools=names, execute=True, executor=LocalExecutor(names, timeout=50))
    worker = interaction_worker(tools=host.tools, concurrency=AT_A_TIME)
    async with Runtime(workers=[worker], sandbox=sandbox) as runtime:

        async def one(number: int, name: str, arguments: Any) -> dict[str, Any]:
            call = ToolCall(id=f"call-{number}", name=name, arguments=arguments)
            try:
                result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
                observation = await runtime.invoke(OBSERVE, ObserveInput(result=result))
            except DittoError as error:
                return {"raised": type(error).__name__, "message": str(error)}
            return {"result": to_wire(result), "observation": to_wire(observation)}

        for arguments in ({"path": "plain.txt"}, {"path": "/"}, {"path": "pipe"}, {"path": "link-up"}):
            await one(0, "cat", arguments)  # whatever is imported late is imported before the user changes
        _become(int(sys.argv[1]))
        return await asyncio.gather(*(one(number, *call) for number, call in enumerate(calls)))


def survey_as(user: int, around: Path, calls: list[tuple[str, Any]], env: dict[str, str]) -> list[dict[str, Any]]:
    """Let another process do it, with an open pipe as standard input of which not a byte may be gone afterwards."""
    (around / "calls.json").write_text(json.dumps(calls))
    reader, writer = os.pipe()
    try:
        os.write(writer, b"the host's")
        words = [sys.executable, "-m", "tests.support.survey", str(user), str(around)]
        subprocess.run(words, stdin=reader, cwd=ROOT, env={**os.environ, **env}, timeout=110, check=True)
        assert os.read(reader, 100) == b"the host's"
    finally:
        os.close(reader)
        os.close(writer)
    results: list[dict[str, Any]] = json.loads((around / "results.json").read_text())
    return results


def _become(user: int) -> None:
    if os.geteuid() != user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def main() -> None:
    """Read the calls, make them, write the results."""
    around = Path(sys.argv[2])
    calls = json.loads((around / "calls.json").read_text())
    with (around / "results.json").open("w") as file:  # opened by who starts this, whoever it becomes
        json.dump(asyncio.run(survey(around / "inside", calls)), file)


if __name__ == "__main__":
    main()
