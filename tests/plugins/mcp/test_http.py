"""Peers over HTTP that refuse, lie, break off, fall silent or die."""

from __future__ import annotations

import asyncio
import logging
import traceback

import pytest

from ditto_core import InvalidValue
from ditto_mcp import (
    McpClosed,
    McpConnectFailed,
    McpError,
    McpRejected,
    McpResponseLost,
    McpTimeout,
    connect_http,
)
from tests.support.mcp_peers import run_alone
from tests.support.mcp_servers.http_peer import http_peer
from tests.support.mcp_servers.over_http import kitchen_over_http
from tests.support.processes import until

NOTHING_PRIVATE = ("secret", "127.0.0.1", "localhost", "Traceback", "html")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("refused", "it answered with HTTP status 401"),
        ("gone", "it answered with HTTP status 404"),
        ("broken", "it answered with HTTP status 500"),
        ("elsewhere", "it answered with HTTP status 307"),
        ("page", "the handshake with the JSON-RPC code -32600"),
        ("later", "the handshake with the JSON-RPC code -32600"),
        ("no-json", "the handshake with the JSON-RPC code -32700"),
        ("cut", "the SDK raised RemoteProtocolError"),
        ("no-http", "the SDK raised RemoteProtocolError"),
    ],
)
def test_a_handshake_that_fails_says_how_and_nothing_of_what_the_peer_said(mode: str, path: str, told: str) -> None:
    async def scenario() -> None:
        async with http_peer() as (url, _):
            with pytest.raises(McpConnectFailed, match=told) as caught:
                await connect_http(f"{url}/at-once/{path}", mode=mode).open()
            assert not any(word in str(caught.value) for word in NOTHING_PRIVATE)

    run_alone(scenario())


def test_an_address_where_nothing_listens_and_one_that_never_answers_fail_the_connection() -> None:
    async def scenario() -> None:
        async with http_peer() as (url, _):
            with pytest.raises(McpConnectFailed, match=r"it took longer than 0\.2 s"):
                await connect_http(f"{url}/at-once/silent", connect_timeout=0.2).open()
        with pytest.raises(McpConnectFailed, match="the SDK raised ConnectError"):
            await connect_http(f"{url}/mcp").open()

    run_alone(scenario())


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("refused", McpRejected),
        ("gone", McpRejected),
        ("broken", McpRejected),
        ("elsewhere", McpRejected),
        ("page", McpRejected),
        ("later", McpRejected),
        ("no-json", McpResponseLost),
        ("packed", McpResponseLost),
        ("json-70000", McpResponseLost),
        ("event-70000", McpResponseLost),
        ("silent", McpTimeout),
    ],
)
def test_a_call_that_fails_leaves_the_connection_usable(path: str, error: type[McpError]) -> None:
    async def scenario() -> None:
        async with (
            http_peer() as (url, _),
            connect_http(f"{url}/{path}", mode="legacy", max_message_bytes=65_536) as connection,
        ):
            view = connection.client(call_timeout=0.5 if path == "silent" else 10)
            with pytest.raises(error) as caught:
                await view.call_tool("tool", {})
            assert not any(word in str(caught.value) for word in NOTHING_PRIVATE)
            assert len((await view.list_tools()).tools) == 1

    run_alone(scenario())


@pytest.mark.parametrize("path", ["cut", "no-http"])
def test_a_broken_answer_ends_the_call_and_nothing_but_the_connection(path: str) -> None:
    async def scenario() -> None:
        async with http_peer() as (url, _):
            async with connect_http(f"{url}/{path}", mode="legacy") as connection:
                with pytest.raises((McpClosed, McpResponseLost)):
                    await connection.client(call_timeout=10).call_tool("tool", {})
            await asyncio.sleep(0)  # this task was not cancelled

    run_alone(scenario())


@pytest.mark.promise("D-MCP-10")
@pytest.mark.parametrize("path", ["lone", "lone-event"])
def test_an_escaped_lone_surrogate_becomes_a_replacement_character(path: str) -> None:
    async def scenario() -> None:
        async with http_peer() as (url, _), connect_http(f"{url}/{path}", mode="legacy") as connection:
            result = await connection.client(call_timeout=10).call_tool("tool", {})
            assert result.content == "a\N{REPLACEMENT CHARACTER} \\ud800 \U0001f600"

    run_alone(scenario())


def test_headers_and_authentication_are_sent_and_nothing_of_them_or_the_address_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)

    async def scenario() -> None:
        async with http_peer() as (url, heads):
            connection = connect_http(
                f"{url}/json-5?key=secret", headers={"X-Team": "secret-blue"}, auth=("user", "secret"), mode="legacy"
            )
            assert "secret" not in repr(connection)
            async with connection:
                await connection.client(call_timeout=10).call_tool("tool", {})
            assert all("x-team: secret-blue" in head.lower() for head in heads)
            assert all("authorization: basic " in head.lower() for head in heads)
            assert all("accept-encoding: identity" in head.lower() for head in heads)

    run_alone(scenario())
    assert [record.getMessage() for record in caplog.records if record.name != "asyncio"] == []


@pytest.mark.case("CALL-10")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_server_that_is_killed_during_a_call_cancels_nobody(mode: str) -> None:
    async def scenario() -> None:
        with kitchen_over_http() as server:
            async with connect_http(server.url, mode=mode) as connection:
                view = connection.client()
                calling = asyncio.create_task(view.call_tool("wait", {}))
                while "began" not in str((await view.call_tool("events", {})).content):
                    pass
                server.process.kill()
                async with asyncio.timeout(5):
                    with pytest.raises((McpClosed, McpResponseLost)):
                        await calling
                    for _ in range(2):
                        with pytest.raises((McpClosed, McpResponseLost)):
                            await view.call_tool("add", {"a": 1, "b": 2})
                task = asyncio.current_task()
                assert task is not None
                assert task.cancelling() == 0

    run_alone(scenario())


@pytest.mark.parametrize("url", ["", "host/mcp", "file:///etc/passwd", "http://", "http://[", 5, None])
def test_an_address_that_is_none_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(InvalidValue, match="must be an address that begins with http://") as caught:
        connect_http(url)
    assert "passwd" not in str(caught.value)


@pytest.mark.case("SEC-01")
@pytest.mark.parametrize("name", ["Authorization", "X-Api-Key"])
@pytest.mark.parametrize(
    "value", ["secret\n", "secret\r", " secret", "secret\t", "sec\0ret", "s\xe9cret", "s\ud800cret"]
)
def test_headers_that_cannot_be_sent_are_refused_without_being_shown(name: str, value: str) -> None:
    with pytest.raises(InvalidValue, match="printable ASCII") as caught:
        connect_http("http://localhost/mcp", headers={name: value})
    assert "cret" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("name", ["", "X Y", "X:", "X\n", "\xe9"])
def test_names_of_headers_that_cannot_be_sent_are_refused(name: str) -> None:
    with pytest.raises(InvalidValue, match="names of headers"):
        connect_http("http://localhost/mcp", headers={name: "blue"})


@pytest.mark.parametrize("url", ["http://h:99999/", "http://h:x/", "http://h:0/", "http://h/\ud800"])
def test_an_address_with_a_port_that_is_none_or_half_a_character_is_refused(url: str) -> None:
    with pytest.raises(InvalidValue, match="must be an address"):
        connect_http(url)


def test_the_body_of_a_redirect_is_bounded_whatever_it_says_that_it_is() -> None:
    async def scenario() -> None:
        async with http_peer() as (url, _):
            with pytest.raises(McpError):
                async with connect_http(f"{url}/astray", mode="legacy", max_message_bytes=200_000) as connection:
                    await connection.client(call_timeout=10).call_tool("tool", {})

    run_alone(scenario())


@pytest.mark.case("CALL-11")
@pytest.mark.parametrize("path", ["hanging", "silent"])
def test_calls_that_run_into_their_deadline_leave_no_connection_open(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ditto_mcp.connection.CANCEL_SECONDS", 0.2)

    async def scenario() -> None:
        async with http_peer() as (url, _), connect_http(f"{url}/{path}", mode="legacy") as connection:
            view = connection.client(call_timeout=0.2)
            await view.list_tools()
            before = len(asyncio.all_tasks())
            calls = [asyncio.create_task(view.call_tool("tool", {})) for _ in range(110)]  # httpx2 opens 100 at most
            calls[0].cancel()
            ends = await asyncio.gather(*calls, return_exceptions=True)
            assert {type(end) for end in ends} == {McpTimeout, asyncio.CancelledError}
            await until(lambda: len(asyncio.all_tasks()) <= before + 2, seconds=5)
            async with asyncio.timeout(5):
                await view.list_tools()

    run_alone(scenario())
