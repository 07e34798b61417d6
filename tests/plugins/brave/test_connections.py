"""Connections live as long as the plugin is entered, no ended search leaves one, and a body has its bound."""

from __future__ import annotations

import asyncio
import copy
import logging

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    ACT_TOOL,
    PluginHost,
    PluginLoadFailed,
    Runtime,
    Sandbox,
    SearchFailed,
    ToolCall,
    ToolInput,
    interaction_worker,
    web_search_tool,
)
from ditto_testkit.fakes import Flood, HttpReply, ScriptedHttpServer, hostile_replies, http_reply
from tests.support import run
from tests.support.brave import GOOD, KEY, QUERY, brave_at, everything_told, found, through_tool

SILENT = HttpReply(steps=(), then="hold")


@pytest.mark.promise("D-WEB-06")
def test_an_entered_provider_keeps_its_connection_and_closes_it() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            host, brave = PluginHost(), brave_at(server)
            host.register(brave)
            async with host:
                for _ in range(3):
                    await brave.search("q", 1)
                assert (len(server.requests), server.connections, server.open) == (3, 1, 1)
            await server.wait_until_idle()
            await brave.search("q", 1)
            await server.wait_until_idle()
            assert (server.connections, server.open) == (2, 0)

    run(main())


@pytest.mark.promise("D-WEB-06")
def test_a_provider_that_was_never_entered_leaves_no_connection() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            brave = brave_at(server)
            for number in (1, 2):
                await brave.search("q", 1)
                await server.wait_until_idle()
                assert server.connections == number

    run(main())


@pytest.mark.promise("D-WEB-06")
@pytest.mark.parametrize("name", ["status-429", "redirect-302", "encoding-gzip", "body-html", "length-too-long"])
def test_a_failed_search_leaves_no_connection_in_use(name: str) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(hostile_replies(GOOD)[name]) as server, brave_at(server) as brave:
            for _ in range(3):
                with pytest.raises(SearchFailed):
                    await brave.search("q", 1)
                await asyncio.sleep(0)
                assert server.open <= 1

    run(main())


@pytest.mark.promise("D-WEB-06")
def test_it_can_be_entered_again_and_not_twice() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            brave = brave_at(server)
            for _ in range(2):
                async with brave:
                    with pytest.raises(PluginLoadFailed, match="entered already"):
                        await brave.__aenter__()
                    assert len(await brave.search("q", 1)) == 1
                    copied = copy.deepcopy(brave)
                    await copied.search("q", 1)

    run(main())


@pytest.mark.promise("D-WEB-06")
def test_another_event_loop_gets_connections_of_its_own() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server, brave_at(server) as brave:
            await brave.search("q", 1)
            assert len(await asyncio.to_thread(run, brave.search("q", 1))) == 1
            await brave.search("q", 1)
            assert (len(server.requests), server.connections) == (3, 2)

    run(main())


def test_leaving_while_a_search_runs_fails_it() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(SILENT) as server:
            brave = brave_at(server)
            async with brave:
                task = asyncio.ensure_future(brave.search("q", 1))
                await server.asked.wait()
            with pytest.raises(SearchFailed):
                await task

    run(main())


@pytest.mark.promise("WEB-13")
@pytest.mark.case("SEC-01")
@pytest.mark.parametrize("entered", [True, False])
@pytest.mark.parametrize("tool", [True, False])
def test_a_cancelled_search_ends_at_once_and_tells_nothing(*, entered: bool, tool: bool) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(lambda request: SILENT if len(server.requests) == 1 else found()) as server:
            brave = brave_at(server)
            if entered:
                await brave.__aenter__()
            search = through_tool(brave) if tool else brave.search(QUERY, 1)
            task: asyncio.Future[object] = asyncio.ensure_future(search)
            await server.asked.wait()
            task.cancel("enough")
            with pytest.raises(asyncio.CancelledError) as raised:
                await task
            assert task.cancelled()
            assert KEY not in everything_told(raised.value)
            assert tool or QUERY not in everything_told(raised.value)
            await server.wait_until_idle()
            assert await brave.search("q", 1) == []
            if entered:
                await brave.__aexit__(None, None, None)

    run(main())


@pytest.mark.promise("RUN-02b")
def test_cancelling_a_call_of_the_runtime_ends_the_search() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(SILENT) as server:
            brave = brave_at(server)
            worker = interaction_worker(tools=[web_search_tool(brave)])
            sandbox = Sandbox(tools=["web_search"], network=[brave.origin])
            async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
                call = ToolCall(id="c1", name="web_search", arguments={"query": QUERY})
                task = asyncio.ensure_future(runtime.invoke(ACT_TOOL, ToolInput(call=call)))
                await server.asked.wait()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                await server.wait_until_idle()

    run(main())


@given(steps=st.integers(0, 60))
@pytest.mark.promise("WEB-13")
def test_a_search_can_be_cancelled_at_any_step(steps: int) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            brave = brave_at(server)
            task = asyncio.ensure_future(brave.search(QUERY, 1))
            for _ in range(steps):
                await asyncio.sleep(0)
            cancelled = task.cancel()
            (outcome,) = await asyncio.gather(task, return_exceptions=True)
            assert isinstance(outcome, asyncio.CancelledError) if cancelled else isinstance(outcome, list)
            if isinstance(outcome, BaseException):
                assert KEY not in everything_told(outcome)
            await server.wait_until_idle()

    run(main())


@pytest.mark.promise("BRAVE-04", "BRAVE-05")
@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_a_body_may_have_as_many_bytes_as_are_allowed_and_no_more(piece: int, *, chunked: bool) -> None:
    async def main() -> None:
        reply = HttpReply(steps=(head(chunked=chunked), *pieces(GOOD, piece, chunked=chunked)))
        async with ScriptedHttpServer(reply) as server:
            assert len(await brave_at(server, max_response_bytes=len(GOOD)).search("q", 1)) == 1
            with pytest.raises(SearchFailed, match="larger than max_response_bytes"):
                await brave_at(server, max_response_bytes=len(GOOD) - 1).search("q", 1)
            await server.wait_until_idle()

    run(main())


@pytest.mark.promise("BRAVE-04")
def test_a_body_over_the_limit_is_neither_read_on_nor_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        flood = Flood(data=b" " * 65_536)
        async with ScriptedHttpServer(HttpReply(steps=(head(chunked=False), flood))) as server:
            with pytest.raises(SearchFailed, match="larger than max_response_bytes"):
                await brave_at(server, max_response_bytes=1000).search("q", 1)
            await server.wait_until_idle()

    def parsed(*arguments: object) -> object:
        raise AssertionError

    monkeypatch.setattr("ditto_brave.reply.hits_of", parsed)
    run(main())


@pytest.mark.case("WEB-02")
def test_others_get_their_turn_while_thousands_of_pieces_arrive() -> None:
    async def main() -> None:
        steps = (head(chunked=True), b"1\r\n \r\n" * 50_000, *pieces(GOOD, 100, chunked=True))
        async with ScriptedHttpServer(HttpReply(steps=steps)) as server:
            search = asyncio.ensure_future(brave_at(server).search("q", 1))
            turns = 0
            while not search.done():
                await asyncio.sleep(0)
                turns += 1
            assert len(await search) == 1
            assert turns > 200

    run(main())


@pytest.mark.promise("D-WEB-05")
def test_what_httpcore_says_of_other_requests_is_still_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD, headers=[("X-Echo", KEY)])) as server:
            await brave_at(server).search(QUERY, 1)
            assert not [record for record in caplog.records if record.name.startswith(("httpx", "httpcore"))]
            async with httpx.AsyncClient(trust_env=False) as client:
                await client.get(f"{server.origin}/theirs")

    caplog.set_level(logging.DEBUG)
    run(main())
    assert "/theirs" in caplog.text
    assert "receive_response_headers.complete" in caplog.text


def head(*, chunked: bool) -> bytes:
    """Give the head of a reply whose body ends with the connection, or is in chunks."""
    return b"HTTP/1.1 200 OK\r\n" + (b"Transfer-Encoding: chunked\r\n" if chunked else b"") + b"\r\n"


def pieces(body: bytes, size: int, *, chunked: bool) -> list[bytes]:
    """Give the body in pieces."""
    cut = [body[start : start + size] for start in range(0, len(body), size)]
    return [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in cut] + [b"0\r\n\r\n"] if chunked else cut
