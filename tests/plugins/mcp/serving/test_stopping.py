"""The end of serving: nothing of it is left, whatever clients keep open or tools are doing."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from ditto_core import Tool, ToolContext, ToolOutcome
from ditto_mcp import McpError, connect_http
from ditto_mcp.serving import http as http_serving
from tests.plugins.mcp.serving.tools import made, serving_http
from tests.support.mcp_peers import run_alone
from tests.support.project import ROOT

SCRIPT = str(ROOT / "docs/examples/mcp_server.py")


@pytest.fixture(autouse=True)
def _says_nothing(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.WARNING):
        yield
    assert [record.getMessage() for record in caplog.records] == []


class Waiting:
    """A tool that never ends by itself."""

    def __init__(self) -> None:
        self.begun, self.ended = asyncio.Event(), asyncio.Event()

    async def __call__(self, arguments: Any, context: ToolContext) -> ToolOutcome:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()
        raise AssertionError

    @property
    def tool(self) -> Tool[Any]:
        return made("waits", self)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_that_only_listens_does_not_keep_the_server(mode: str) -> None:
    async def main() -> None:
        async with serving_http() as (url, serving), connect_http(url, mode=mode) as connection:
            await connection.client().list_tools()
            serving.cancel()
            await asyncio.wait({serving}, timeout=http_serving.CLOSE_SECONDS - 1)
            assert serving.cancelled()

    run_alone(main())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_that_does_not_end_in_time_is_cancelled(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_serving, "CLOSE_SECONDS", 0.05)

    async def main() -> None:
        waiting = Waiting()
        async with serving_http([waiting.tool]) as (url, serving), connect_http(url, mode=mode) as connection:
            call = asyncio.ensure_future(connection.client().call_tool("waits", {}))
            await waiting.begun.wait()
            serving.cancel()
            await asyncio.wait_for(waiting.ended.wait(), 10)
            with pytest.raises(McpError):
                await call

    run_alone(main())


def test_a_second_cancellation_ends_calls_at_once() -> None:
    async def main() -> None:
        waiting = Waiting()
        async with serving_http([waiting.tool]) as (url, serving), connect_http(url) as connection:
            call = asyncio.ensure_future(connection.client().call_tool("waits", {}))
            await waiting.begun.wait()
            serving.cancel()
            await asyncio.sleep(0)
            serving.cancel()
            await asyncio.wait({serving}, timeout=http_serving.CLOSE_SECONDS - 1)
            assert serving.cancelled()
            assert waiting.ended.is_set()
            with pytest.raises(McpError):
                await call

    run_alone(main())


def test_a_client_that_hangs_up_during_a_call_cancels_the_tool() -> None:
    async def main() -> None:
        waiting = Waiting()
        async with serving_http([waiting.tool]) as (url, _):
            async with connect_http(url) as connection:
                call = asyncio.ensure_future(connection.client().call_tool("waits", {}))
                await waiting.begun.wait()
            await asyncio.wait_for(waiting.ended.wait(), 10)
            with pytest.raises(McpError):
                await call

    run_alone(main())


@pytest.mark.parametrize("sent", [b"", b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n', b"no message\n\n\xff\n"])
def test_serving_over_standard_streams_ends_with_standard_input(sent: bytes) -> None:
    ended = subprocess.run(
        [sys.executable, SCRIPT, "."], input=sent, capture_output=True, timeout=30, check=False, cwd=ROOT
    )
    assert ended.returncode == 0
    assert b"Traceback" not in ended.stderr
