"""Hundreds of commands with random endings leave the process as it was."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from ditto_core import Command, CommandTimeout, DittoError
from ditto_local import LocalExecutor
from tests.support import run

SCRIPTS = [
    "true",
    "exit 3",
    "printf a; printf b >&2",
    "head -c 300000 /dev/zero",
    "head -c 3000000 /dev/zero",
    "sleep 60",
    "sleep 60 & sleep 60 & wait",
    "sleep 60 & printf a",
    "exec yes",
    "exec >&- 2>&-; sleep 60",
]


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split())


def _state() -> tuple[int, set[str]]:
    return len(os.listdir("/proc/self/fd")), _children()


@pytest.mark.promise("D-CMD-09")
@pytest.mark.case("RUN-02", "RUN-03")
def test_a_thousand_calls_with_random_deadlines_and_cancellations_leave_nothing_behind(tmp_path: Path) -> None:
    rng = random.Random(20261130)

    async def one() -> str:
        executor = LocalExecutor(["sh", "missing"], timeout=rng.choice([0.001, 0.02, 0.2, 30]))
        script = rng.choice(SCRIPTS)
        program = "missing" if rng.random() < 0.05 else "sh"
        call = asyncio.create_task(executor.run(Command(program, ("-c", script)), workspace=tmp_path))
        if "sleep" in script or rng.random() < 0.4:
            for _ in range(rng.randrange(12)):
                await asyncio.sleep(0)
            if rng.random() < 0.5:
                await asyncio.sleep(rng.random() * 0.01)
            call.cancel()
            if rng.random() < 0.3:
                await asyncio.sleep(0)
                call.cancel()
        try:
            await call
        except asyncio.CancelledError:
            return "cancelled"
        except CommandTimeout:
            return "timeout"
        except DittoError:
            return "refused"
        return "ended"

    async def scenario() -> None:
        await one()
        gc.collect()
        before = _state()
        endings: dict[str, int] = {}
        for _ in range(50):
            for ending in await asyncio.gather(*[one() for _ in range(20)]):
                endings[ending] = endings.get(ending, 0) + 1
        assert set(endings) == {"cancelled", "timeout", "refused", "ended"}
        async with asyncio.timeout(20):
            while _state() != before or len(asyncio.all_tasks()) > 1 or _watchers():
                await asyncio.sleep(0)
                gc.collect()

    run(scenario(), timeout=110)


def _watchers() -> list[Any]:
    """The threads in which asyncio waits for children (Python 3.11)."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("asyncio-waitpid")]
