"""A connection waits for nothing without a bound: not for a server that hangs, not for a tool that goes on."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import pytest
from mcp.server import MCPServer

from ditto_core import InvalidValue
from ditto_mcp import (
    McpClosed,
    McpConnectFailed,
    McpConnection,
    McpRejected,
    McpResponseLost,
    McpTimeout,
    connect_inprocess,
)
from tests.support import run
from tests.support.mcp_peers import run_alone
from tests.support.mcp_servers.kitchen import kitchen


class Route:
    """A way to a client that is not the SDK's, which does as the test says."""

    label = "The MCP server of the test"
    mode = "auto"

    def __init__(self, client: Any = None, *, opening: Any = None, closing: Any = None) -> None:
        self._client, self._opening, self._closing = client, opening, closing

    @asynccontextmanager
    async def client(self, hang_up: asyncio.Event) -> AsyncIterator[Any]:
        if self._opening is not None:
            await self._opening()
        try:
            yield self._client
        finally:
            if self._closing is not None:
                await self._closing()

    def last_words(self) -> str:
        return ""


def connection(*arguments: Any, **options: Any) -> McpConnection:
    return McpConnection(Route(*arguments, **options), connect_timeout=5)


async def hang() -> None:
    await asyncio.Event().wait()


async def cling() -> None:
    """Go on through every cancellation but the last one, of the test's end."""
    for _ in range(2):
        try:
            await hang()
        except asyncio.CancelledError:
            continue


def raising(error: BaseException) -> Any:
    async def fail(client: Any) -> NoReturn:
        raise error

    return fail


@pytest.mark.parametrize("closing", [hang, cling])
def test_closing_ends_also_if_the_other_end_does_not(
    closing: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ditto_mcp.connection.CLOSE_SECONDS", 0.1)
    monkeypatch.setattr("ditto_mcp.connection.LAST_SECONDS", 0.1)

    async def scenario() -> None:
        opened = await connection(object(), closing=closing).open()
        await opened.aclose()
        assert not opened.is_open

    (run_alone if closing is hang else run)(scenario())
    told = [record.getMessage() for record in caplog.records]
    assert told == ([] if closing is hang else ['mcp_close_delayed server="The MCP server of the test" seconds=0.2'])


def test_a_tool_that_goes_on_through_its_cancellation_holds_its_caller_up_for_a_moment_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ditto_mcp.connection.CANCEL_SECONDS", 0.05)

    async def scenario() -> None:
        go_on = asyncio.Event()

        async def stubborn(client: Any) -> str:
            while not go_on.is_set():
                try:
                    await go_on.wait()
                except asyncio.CancelledError:
                    continue
            return "done"

        async with connection(object()) as opened:
            with pytest.raises(McpTimeout):
                await opened.request(stubborn, timeout=0.05)
            calling = asyncio.create_task(opened.request(stubborn, timeout=60))
            await asyncio.sleep(0)
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
            go_on.set()

    run_alone(scenario())


@pytest.mark.case("CALL-16")
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ExceptionGroup("x", [OSError("504 at http://host"), TimeoutError()]), McpResponseLost),
        (BaseExceptionGroup("x", [OSError("504"), asyncio.CancelledError()]), McpResponseLost),
        (asyncio.CancelledError(), McpClosed),
        (ConnectionResetError("secret"), McpResponseLost),
    ],
)
def test_whatever_the_sdk_raises_is_one_clean_error(error: BaseException, kind: type[Exception]) -> None:
    async def scenario() -> None:
        async with connection(object()) as opened:
            with pytest.raises(kind) as caught:
                await opened.request(raising(error), timeout=5)
            assert "secret" not in str(caught.value)
            assert "host" not in str(caught.value)
            task = asyncio.current_task()
            assert task is not None
            assert task.cancelling() == 0
            assert opened.is_open

    run_alone(scenario())


@pytest.mark.promise("D-MCP-05")
def test_a_method_that_is_missing_is_no_answer_of_the_server() -> None:
    async def scenario() -> None:
        async with connection(object()) as opened:
            with pytest.raises(AttributeError, match="list_tools"):
                await opened.request(lambda client: client.list_tools(), timeout=5)

    run_alone(scenario())


def test_what_ends_the_program_ends_it() -> None:
    async def scenario() -> None:
        await connection(opening=raising_now(SystemExit(3))).open()

    with pytest.raises(SystemExit):
        run(scenario())


def raising_now(error: BaseException) -> Any:
    async def fail() -> NoReturn:
        raise BaseExceptionGroup("x", [error])

    return fail


def test_a_connection_that_ends_by_itself_is_closed_and_logged_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)

    async def scenario() -> None:
        opened = connection(object(), closing=raising_now(RuntimeError("secret")))
        await opened.open()
        opened._stop.set()
        with pytest.raises(McpClosed, match="is closed"):
            await opened.request(raising(RuntimeError()), timeout=5)
        await opened.aclose()

    run_alone(scenario())
    (record,) = (one for one in caplog.records if one.name == "ditto")  # asyncio may speak of a task of another test
    assert record.getMessage().startswith('mcp_connection_failed server="The MCP server of the test"')
    assert "secret" not in record.getMessage()


def test_a_connection_that_is_closed_before_it_was_opened_stays_closed() -> None:
    async def scenario() -> None:
        never = connect_inprocess(kitchen())
        await never.aclose()
        with pytest.raises(McpConnectFailed, match="opened or closed before"):
            await never.open()
        with pytest.raises(McpClosed, match="is closed"):
            await never.client().list_tools()

    run_alone(scenario())


def test_a_server_in_process_that_hangs_while_it_starts_fails_the_connection_in_time() -> None:
    @asynccontextmanager
    async def lifespan(server: MCPServer) -> AsyncIterator[None]:
        await hang()
        yield

    async def scenario() -> None:
        with pytest.raises(McpConnectFailed, match=r"it took longer than 0\.1 s"):
            await connect_inprocess(MCPServer("x", lifespan=lifespan), connect_timeout=0.1).open()

    run_alone(scenario())


def test_a_connection_that_is_dropped_while_it_is_open_goes_on_until_the_event_loop_ends() -> None:
    async def scenario() -> Any:
        view = (await connect_inprocess(kitchen()).open()).client()
        gc.collect()
        assert (await view.call_tool("add", {"a": 1, "b": 2})).content == "3"

    run(scenario())


def test_a_server_can_reject_a_request_and_then_that_is_said() -> None:
    from mcp import MCPError

    async def scenario() -> None:
        async with connection(object()) as opened:
            error = MCPError(code=-32001, message="Bearer secret", data=None)
            with pytest.raises(McpRejected, match="JSON-RPC code -32001") as caught:
                await opened.request(raising(error), timeout=5)
            assert (caught.value.rpc_code, caught.value.code) == (-32001, "MCP_REJECTED")
            assert caught.value.__cause__ is error

    run_alone(scenario())


@pytest.mark.parametrize("wait", [0, -1, True, None, float("inf"), "5", 10**400])
def test_a_time_of_connecting_that_is_none_is_refused(wait: Any) -> None:
    with pytest.raises(InvalidValue, match="connect_timeout: must be a number of seconds above 0"):
        connect_inprocess(kitchen(), connect_timeout=wait)
