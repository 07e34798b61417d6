"""An exchange is one request and ends as one value: in time, in its size, and without a word to anybody else."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_http import Connections, Ended, exchange
from ditto_http.connections import _trusted
from ditto_testkit.fakes import DeafServer, Flood, HttpReply, ScriptedHttpServer, http_reply
from tests.support import run
from tests.support.exchanges import GOOD, KEY, asked, in_pieces, request_for
from tests.support.told import everything_known

SILENT = HttpReply(steps=(), then="hold")


def test_a_request_is_sent_as_it_is_and_nothing_packed_is_asked_for() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            request = httpx.Request("PUT", f"{server.origin}/a?b=c", json={"d": 1}, headers={"Accept-Encoding": "br"})
            assert await exchange(request, max_bytes=100, timeout=20.0) == GOOD
            (seen,) = server.requests
            assert (seen.method, seen.target, seen.body) == ("PUT", "/a?b=c", b'{"d":1}')
            assert dict(seen.headers) == {
                "host": server.origin.removeprefix("http://"),
                "content-type": "application/json",
                "content-length": "7",
                "accept-encoding": "identity",
            }

    run(main())


@pytest.mark.parametrize("status", [200, 201, 404])
def test_only_the_statuses_that_are_asked_for_have_a_body(status: int) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD, status)) as server:
            assert await asked(server) == (GOOD if status == 200 else Ended(how="status", status=status))
            assert await asked(server, statuses={status}) == GOOD
            assert await asked(server, statuses=()) == Ended(how="status", status=status)

    run(main())


@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_a_body_may_have_as_many_bytes_as_are_allowed_and_no_more(piece: int, *, chunked: bool) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(in_pieces(GOOD, piece, chunked=chunked)) as server:
            assert await asked(server, max_bytes=len(GOOD)) == GOOD
            assert await asked(server, max_bytes=len(GOOD) - 1) == Ended(how="too_large")
            await server.wait_until_idle()

    run(main())


def test_a_body_that_does_not_end_is_left() -> None:
    async def main() -> None:
        flood = HttpReply(steps=(b"HTTP/1.1 200 OK\r\n\r\n", Flood(data=b" " * 65_536)))
        async with ScriptedHttpServer(flood) as server:
            assert await asked(server, max_bytes=1_000) == Ended(how="too_large")
            await server.wait_until_idle()

    run(main())


@pytest.mark.case("WEB-02")
def test_others_get_their_turn_while_thousands_of_pieces_arrive() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(in_pieces(b" " * 50_000, 1, chunked=True)) as server:
            task = asyncio.ensure_future(asked(server))
            turns = 0
            while not task.done():
                await asyncio.sleep(0)
                turns += 1
            assert await task == b" " * 50_000
            assert turns > 200

    run(main())


@pytest.mark.case("WEB-02")
def test_nobody_is_waited_for_longer_than_the_time() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(SILENT) as server:
            assert await asked(server, timeout=0.02) == Ended(how="timed_out")
            await server.wait_until_idle()
        assert await asked(server) == Ended(how="no_connection")  # for it has gone
        with DeafServer() as deaf:
            request = httpx.Request("GET", deaf.origin)
            assert await exchange(request, max_bytes=1, timeout=0.02) == Ended(how="timed_out")

    run(main())


@pytest.mark.parametrize(
    "request_of",
    [
        lambda origin: httpx.Request("GET", origin, headers={"X-Key": f"{KEY}\r\nX: y"}),
        lambda origin: httpx.Request("GET", origin, content=iter([b"a"])),  # what only a client that blocks can send
        lambda origin: httpx.Request("GET", "ftp://127.0.0.1/"),
        lambda origin: httpx.Request("GET", "/"),
        lambda origin: None,
    ],
)
def test_what_can_be_no_request_is_not_worth_another_try(request_of: object) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            assert callable(request_of)
            assert await exchange(request_of(server.origin), max_bytes=1, timeout=20.0) == Ended(how="broken")
            assert server.requests == []
            await server.wait_until_idle()

    run(main())


@given(steps=st.integers(0, 60))
@pytest.mark.promise("WEB-13")
def test_an_exchange_can_be_cancelled_at_any_step(steps: int) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            task = asyncio.ensure_future(exchange(request_for(server), max_bytes=99, timeout=20.0))
            for _ in range(steps):
                await asyncio.sleep(0)
            cancelled = task.cancel("enough")
            (outcome,) = await asyncio.gather(task, return_exceptions=True)
            assert isinstance(outcome, asyncio.CancelledError) if cancelled else outcome == GOOD
            if isinstance(outcome, BaseException):
                assert KEY not in everything_known(outcome)
            await server.wait_until_idle()

    run(main())


@pytest.mark.parametrize("error", [KeyboardInterrupt("stop"), SystemExit(3), asyncio.CancelledError("enough")])
def test_what_ends_the_task_comes_out_without_the_request(error: BaseException) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        try:
            raise ValueError(KEY)
        except ValueError:
            raise error from None

    async def main() -> None:
        connections = Connections("Test", transport=httpx.MockTransport(fail))
        request = httpx.Request("GET", "https://a.example/", headers={"X-Key": KEY})
        with pytest.raises(type(error)) as raised:
            await exchange(request, max_bytes=1, timeout=None, connections=connections)
        assert raised.value is error
        assert KEY not in everything_known(error)

    run(main())


@pytest.mark.promise("D-WEB-05")
@pytest.mark.case("WEB-02")
@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("cancelled", [True, False])
def test_nothing_is_sent_where_encryption_fails(*, kept: bool, cancelled: bool) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server, AsyncExitStack() as stack:
            connections = Connections("Test")
            if kept:
                await connections.open()
                stack.push_async_callback(connections.close)
            # The server waits for a request, and the client for encryption.
            going = exchange(
                request_for(server, scheme="https"),
                max_bytes=1,
                timeout=20.0 if cancelled else 0.2,
                connections=connections,
            )
            task = asyncio.ensure_future(going)
            if cancelled:
                while not server.connections:  # noqa: ASYNC110 - the server has no event for this
                    await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError) as raised:
                    await task
                assert KEY not in everything_known(raised.value)
            else:
                assert await task == Ended(how="timed_out")
            await server.wait_until_idle()
            assert (server.connections, server.requests) == (1, [])

    run(main())


@pytest.mark.promise("D-WEB-04")
def test_nothing_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server, ScriptedHttpServer(http_reply(GOOD)) as proxy:
            for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.origin)
            netrc = tmp_path / "netrc"
            netrc.write_text("default login someone password hunter2\n", encoding="ascii")
            netrc.chmod(0o600)
            monkeypatch.setenv("NETRC", str(netrc))
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
            _trusted.cache_clear()
            monkeypatch.delenv("no_proxy", raising=False)
            monkeypatch.delenv("NO_PROXY", raising=False)
            for _ in range(2):
                assert await asked(server) == GOOD
            assert (len(server.requests), proxy.connections) == (2, 0)
            assert [request.all("authorization") for request in server.requests] == [[], []]

    run(main())


@pytest.mark.promise("D-WEB-04", "WEB-14")
def test_a_cookie_is_not_sent_back() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD, headers=[("Set-Cookie", "id=1; Path=/")])) as server:
            connections = Connections("Test")
            await connections.open()
            for _ in range(2):
                assert await asked(server, connections=connections) == GOOD
            await connections.close()
            assert [request.all("cookie") for request in server.requests] == [[], []]

    run(main())


@pytest.mark.promise("D-WEB-05")
def test_what_httpcore_says_of_other_requests_is_still_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD, headers=[("X-Echo", KEY)])) as server:
            await asked(server)
            assert [record for record in caplog.records if record.name.startswith(("httpx", "httpcore"))] == []
            async with httpx.AsyncClient(trust_env=False) as client:
                await client.get(f"{server.origin}/theirs")

    caplog.set_level(logging.DEBUG)
    run(main())
    assert "/theirs" in caplog.text
    assert "receive_response_headers.complete" in caplog.text
