"""A thousand commands with random endings leave the process as it was."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from ditto_core import Command, CommandTimeout, DittoError
from ditto_local import LocalExecutor
from tests.support import run
from tests.support.processes import footprint, until

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


@pytest.mark.promise("D-CMD-09", "D-CMD-12")
@pytest.mark.case("RUN-02", "RUN-03")
def test_a_thousand_calls_with_random_deadlines_and_cancellations_leave_nothing_behind(tmp_path: Path) -> None:
    rng = random.Random(20261130)

    async def scenario() -> None:
        await _ending(asyncio.create_task(_call(rng, tmp_path)))
        before = footprint()
        endings: set[str] = set()
        for _ in range(20):
            calls = [asyncio.create_task(_call(rng, tmp_path)) for _ in range(50)]
            cancelling = [asyncio.create_task(_cancelled(rng, call)) for call in calls]
            endings.update(await asyncio.gather(*map(_ending, calls)))
            await asyncio.gather(*cancelling)
        assert endings == {"cancelled", "late", "refused", "ended"}
        await until(lambda: footprint() == before)

    run(scenario(), timeout=110)


async def _call(rng: random.Random, folder: Path) -> None:
    executor = LocalExecutor(["sh", "missing"], timeout=rng.choice([0.001, 0.02, 0.2, 0.4]))
    program = "missing" if rng.random() < 0.05 else "sh"
    await executor.run(Command(program, ("-c", rng.choice(SCRIPTS))), workspace=folder)


async def _cancelled(rng: random.Random, call: asyncio.Task[None]) -> None:
    """Cancel four calls of ten, at a random moment and perhaps twice."""
    if rng.random() < 0.6:
        return
    for _ in range(rng.randrange(12)):
        await asyncio.sleep(0)
    if rng.random() < 0.5:
        await asyncio.sleep(rng.random() * 0.01)
    call.cancel()
    if rng.random() < 0.3:
        await asyncio.sleep(0)
        call.cancel()


async def _ending(call: asyncio.Task[None]) -> str:
    try:
        await call
    except asyncio.CancelledError:
        return "cancelled"
    except CommandTimeout:
        return "late"
    except DittoError:
        return "refused"
    return "ended"
