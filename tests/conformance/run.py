"""The official conformance suite, on a client and a server of Ditto: ``python -m tests.conformance.run``.

Each scenario gets one line. The status is 1 if one neither passes nor is left out, or is left out and passes.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.conformance import client, server, suite
from tests.conformance.verdicts import Verdict, judge, left_out, unknown

ERRAND = Path(__file__).parent / "errand.py"


@asynccontextmanager
async def served() -> AsyncIterator[str]:
    """Serve, and give the address; nothing of it is left then."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    before = asyncio.all_tasks()
    serving = asyncio.ensure_future(server.serve(address.set_result))
    either: set[asyncio.Future[Any]] = {serving, address}
    await asyncio.wait(either, timeout=30, return_when=asyncio.FIRST_COMPLETED)
    try:
        yield address.result()
    finally:
        serving.cancel()
        await asyncio.wait({serving})
    left = asyncio.all_tasks() - before
    if left or not serving.cancelled():
        raise RuntimeError(f"The server has not ended as it should: {left or serving}")


async def both_sides(version: str, folder: Path) -> list[Verdict]:
    """Run and judge all scenarios of one version."""
    reasons = left_out()
    verdicts: list[Verdict] = []
    async with client.desk(folder / "desk") as ends, served() as address:
        command = f"{sys.executable} -I -S {ERRAND} {folder / 'desk'}"
        subjects: dict[suite.Side, list[str]] = {"client": ["--command", command], "server": ["--url", address]}
        for side, subject in subjects.items():
            names = await suite.scenarios(side, version)
            found = await suite.run(side, version, subject, folder / side)
            why = reasons.get((side, version), {})
            verdicts += unknown(side, version, names, why)
            for name in names:
                failure = ends.get((name, version), "its client did not come") if side == "client" else None
                verdicts.append(judge(f"{side} {version}", name, found.get(name, {}), failure, why))
    return verdicts


async def main() -> int:
    """Run everything; return the process's status."""
    begin = time.monotonic()
    verdicts: list[Verdict] = []
    for version in suite.VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            for verdict in await both_sides(version, Path(folder)):
                print(verdict.line, flush=True)
                verdicts.append(verdict)
    failed = sum(not verdict.is_good for verdict in verdicts)
    took = time.monotonic() - begin
    print(f"{len(verdicts)} scenarios, {failed} of them not as they should be, in {took:.0f} s")
    return 1 if failed or not verdicts else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
