"""A thousand calls of all tools with random deadlines and cancellations leave the process as it was."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from pathlib import Path
from typing import Any

import attrs
import pytest

from ditto_commands import CommandTools
from ditto_core import (
    ACT_TOOL,
    CallTimeout,
    Command,
    CommandResult,
    CommandTimeout,
    ExternalResult,
    PluginHost,
    RefusedCall,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
)
from ditto_local import LocalExecutor
from tests.support import run
from tests.support.commands import PROGRAMS, on
from tests.support.processes import footprint, until

CALLS = 1_000
FILES = 20
SHARED_THREADS = 32


@attrs.frozen
class Hurried:
    """A local executor with another deadline each time; where it is not local, pipes are opened."""

    rng: random.Random
    local: bool

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        executor = LocalExecutor(PROGRAMS, timeout=self.rng.choice([0.001, 0.02, 0.1, 0.3]))
        return await executor.run(command, workspace=workspace)


def _build(folder: Path) -> None:
    for number in range(FILES):
        (folder / f"{number}.txt").write_text(f"{number}\n" * 1_000)
    (folder / "large").touch()
    os.truncate(folder / "large", 1024**3)
    os.mkfifo(folder / "pipe")
    (folder / "out").symlink_to("/etc")


def _asked(rng: random.Random, number: int) -> ToolCall:
    name = rng.choice(PROGRAMS)
    path = rng.choice([f"{number % FILES}.txt"] * 6 + ["pipe", "missing", "out/hostname", "../x", "large", "."])
    if path == "large" and name in ("sort", "uniq", "cut", "tail", "grep"):
        path = "pipe"  # one line of a gigabyte would be held in memory
    more: dict[str, Any] = {"metric": "words"} if name == "wc" else {}  # which takes its time
    return ToolCall(id=f"call-{number}", name=name, arguments=on(name, path, **more))


def _right(number: int, call: ToolCall, result: ExternalResult) -> bool:
    """Tell whether a result is the one of its own call."""
    path = call.arguments.get("path")
    right = {
        "cat": f"{number % FILES}\n" * 1_000,
        "head": f"{number % FILES}\n" * 20,
        "uniq": f"{number % FILES}\n",
        "wc": f"1000 {path}\n",
    }
    expected = right.get(call.name) if path == f"{number % FILES}.txt" else None
    return result.call_id == call.id and expected in (None, result.content)


async def _one(runtime: Runtime, rng: random.Random, number: int) -> str:
    call = _asked(rng, number)
    timeout = rng.choice([None, None, 0.001, 0.01, 0.1, 1.0])
    try:
        result = await runtime.invoke(ACT_TOOL, ToolInput(call=call), timeout=timeout)
    except asyncio.CancelledError:
        return "cancelled"
    except CallTimeout:
        return "call late"
    except CommandTimeout:
        return "command late"
    except RefusedCall:
        return "refused"
    return result.status if _right(number, call, result) else f"wrong: {call} {result}"


async def _cancelled(rng: random.Random, calls: list[asyncio.Task[str]]) -> None:
    """Cancel a third of the calls, at random moments and some of them twice."""
    for call in rng.sample(calls, len(calls) // 3):
        for _ in range(rng.randrange(20)):
            await asyncio.sleep(0)
        call.cancel()
        if rng.random() < 0.3:
            await asyncio.sleep(0)
            call.cancel()


async def _round(folder: Path, rng: random.Random, calls: int, *, local: bool) -> set[str]:
    host = PluginHost()
    host.register(CommandTools())
    sandbox = Sandbox(folder, tools=PROGRAMS, execute=True, executor=Hurried(rng, local))
    worker = interaction_worker(tools=host.tools, concurrency=16)
    async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
        tasks = [asyncio.create_task(_one(runtime, rng, number)) for number in range(calls)]
        _, *endings = await asyncio.gather(_cancelled(rng, tasks), *tasks, return_exceptions=True)
    # A task that is cancelled before it has begun answers with that itself.
    return {ending if isinstance(ending, str) else type(ending).__name__ for ending in endings}


@pytest.mark.promise("CMD-20", "D-CMD-12")
@pytest.mark.case("ARG-06", "RUN-02", "RUN-03", "RUN-08")
def test_a_thousand_mixed_calls_leave_nothing_behind(tmp_path: Path) -> None:
    rng = random.Random(20261130)
    _build(tmp_path)

    async def scenario() -> None:
        await _round(tmp_path, rng, 50, local=True)
        before = footprint()
        here = await _round(tmp_path, rng, CALLS // 2, local=True)
        elsewhere = await _round(tmp_path, rng, CALLS // 2, local=False)
        usual = {"success", "failed", "cancelled", "call late", "command late", "refused"}
        assert usual <= here | elsewhere
        assert here | elsewhere <= usual | {"CancelledError"}
        await until(lambda: footprint() == before and _threads() <= SHARED_THREADS)

    run(scenario(), timeout=110)


def _threads() -> int:
    """Return how many threads of Ditto there are; those of a closed runtime end, the shared ones stay."""
    return sum(thread.name == "ditto-thread" for thread in threading.enumerate())
