"""MCP servers to test against: an honest one of the SDK, and others that break every rule."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from ditto_mcp import McpConnection, connect_stdio
from tests.support import run
from tests.support.processes import until

T = TypeVar("T")

_RAW = Path(__file__).parent / "mcp_servers" / "raw_server.py"


def raw_server(*words: str, **options: Any) -> McpConnection:
    """Return a connection to the server in plain Python, whose words say how it behaves."""
    return connect_stdio(sys.executable, ["-I", "-S", str(_RAW), *words], **{"mode": "legacy", **options})


def run_alone(coroutine: Coroutine[Any, Any, T], timeout: float = 20.0) -> T:
    """Run a coroutine as `run` does, and see that no other task is left when it is over.

    But for a moment: a generator that was left before its end, as httpx2 2.10 does, is closed by a task of its own.
    """

    async def watched() -> T:
        result = await coroutine
        await until(lambda: asyncio.all_tasks() == {asyncio.current_task()}, seconds=2)
        return result

    return run(watched(), timeout)
