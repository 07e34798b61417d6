"""Connections live as long as the plugin is entered, no ended search leaves one, and a body has its bound."""

from __future__ import annotations

import asyncio
import copy

import pytest

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
from tests.support.brave import GOOD, KEY, QUERY, brave_at, found, through_tool
from tests.support.told import everything_known

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
            assert KEY not in everything_known(raised.value)
            assert tool or QUERY not in everything_known(raised.value)
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


@pytest.mark.promise("BRAVE-04")
def test_a_body_over_the_limit_is_neither_read_on_nor_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        flood = Flood(data=b" " * 65_536)
        async with ScriptedHttpServer(HttpReply(steps=(b"HTTP/1.1 200 OK\r\n\r\n", flood))) as server:
            with pytest.raises(SearchFailed, match="larger than max_response_bytes"):
                await brave_at(server, max_response_bytes=1000).search("q", 1)
            await server.wait_until_idle()

    def parsed(*arguments: object) -> object:
        raise AssertionError

    monkeypatch.setattr("ditto_brave.reply.hits_of", parsed)
    run(main())
