"""Servers of every temper, called, cancelled and closed at random moments, leave the process as it was."""

from __future__ import annotations

import asyncio
import random

import pytest

from ditto_core import McpToolResult
from ditto_mcp import McpClosed, McpConnectFailed
from tests.support import run
from tests.support.mcp_peers import raw_server
from tests.support.processes import footprint, until

WORDS = [(), (), (), ("deaf",), ("mute",), ("quit",), ("pages",), ("endless",)]
TOOLS = ["fine", "silent", "die", "kill", "answer_and_die", "orphan", "noise", "bad_bytes", "not_an_object", "big"]


@pytest.mark.case("CALL-10")
def test_sixty_connections_with_random_endings_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EXIT_SECONDS", "TERM_SECONDS", "LINGER_SECONDS"):
        monkeypatch.setattr(f"ditto_mcp.routes.process.{name}", 0.05)
    rng = random.Random(20261130)

    async def scenario() -> None:
        await asyncio.create_task(ending(rng))
        before = footprint()
        endings: set[str] = set()
        for _ in range(6):
            lives = [asyncio.create_task(ending(rng)) for _ in range(10)]
            cancelling = [asyncio.create_task(cancelled(rng, life)) for life in lives]
            results = await asyncio.gather(*lives, return_exceptions=True)
            await asyncio.gather(*cancelling)
            for result in results:
                endings |= result if isinstance(result, set) else {type(result).__name__}
        known = {"answered", "CancelledError", "McpClosed", "McpConnectFailed", "McpInvalidResult", "McpTimeout"}
        assert {"answered", "McpConnectFailed", "McpTimeout"} <= endings <= known
        await until(lambda: footprint() == before)

    run(scenario(), timeout=110)


async def ending(rng: random.Random) -> set[str]:
    """Open a connection, make a few calls at once, and close it, be it by leaving it."""
    connection = raw_server(*rng.choice(WORDS), connect_timeout=rng.choice([0.05, 5]), stderr="discard")
    view = connection.client(call_timeout=rng.choice([0.05, 0.3]), list_timeout=0.3)
    try:
        async with connection:
            calls = [view.call_tool(rng.choice(TOOLS), {"size": 200_000}) for _ in range(3)]
            results = await asyncio.gather(*calls, return_exceptions=True)
    except McpConnectFailed:
        return {"McpConnectFailed"}
    assert not connection.is_open
    with pytest.raises(McpClosed):
        await view.list_tools()
    return {"answered" if isinstance(result, McpToolResult) else type(result).__name__ for result in results}


async def cancelled(rng: random.Random, life: asyncio.Task[set[str]]) -> None:
    """Cancel four of ten, at a random moment and perhaps twice."""
    if rng.random() < 0.6:
        return
    for _ in range(rng.randrange(1, 3)):
        await asyncio.sleep(rng.random() * 0.3)
        life.cancel()
