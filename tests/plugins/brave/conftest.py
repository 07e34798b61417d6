"""What becomes of a search for each hostile reply, tried once for all tests that look at it."""

from __future__ import annotations

import io
import logging
import time
import tracemalloc
from collections.abc import Mapping

import attrs
import pytest

from ditto_core import SearchFailed
from ditto_testkit.fakes import HttpReply, HttpRequest, ScriptedHttpServer, hostile_replies
from tests.support import run
from tests.support.brave import GOOD, KEY, PATH, QUERY, brave_at

DEADLINE = 0.15
"""Seconds that a search has whose reply does not end by itself."""


@attrs.frozen(kw_only=True)
class Attempt:
    """One search: what it was answered, how it ended, what was logged, and what it took."""

    reply: HttpReply
    error: SearchFailed | None
    log: str
    requests: list[HttpRequest]
    seconds: float
    growth: int


@pytest.fixture(scope="session")
def attempts() -> Mapping[str, Attempt]:
    """Give the attempt for each hostile reply by name; redirects lead to ``/elsewhere`` of the same server."""
    return run(_tried(), timeout=100.0)


async def _tried() -> dict[str, Attempt]:
    found = {}
    for name, reply in hostile_replies(GOOD, repeats=[KEY, QUERY], elsewhere=f"/elsewhere?q={QUERY}").items():
        async with ScriptedHttpServer(reply) as server:
            found[name] = await _attempt(server, reply)
    return found


async def _attempt(server: ScriptedHttpServer, reply: HttpReply) -> Attempt:
    brave = brave_at(server, **({"timeout": DEADLINE} if reply.is_endless else {}))
    log, root = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(log), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    tracemalloc.start()
    begin, error = time.monotonic(), None
    try:
        await brave.search(QUERY, 3)
    except SearchFailed as failed:
        error = failed
    finally:
        seconds, growth = time.monotonic() - begin, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        root.removeHandler(handler)
        root.setLevel(level)
    await server.wait_until_idle()  # the client has closed the connection, or this raises
    assert all(request.path in (PATH, "/elsewhere") for request in server.requests)
    return Attempt(
        reply=reply, error=error, log=log.getvalue(), requests=server.requests, seconds=seconds, growth=growth
    )
