"""Connections are kept between opening and closing, by the loop that opened them, and no exchange leaves another."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import httpx
import pytest

from ditto_core import PluginLoadFailed
from ditto_http import Connections, Ended
from ditto_testkit.fakes import HttpReply, ScriptedHttpServer, http_reply
from tests.support import run
from tests.support.exchanges import GOOD, asked


def test_they_are_kept_between_opening_and_closing() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            connections = Connections("Test")
            for opened in (1, 2):
                await connections.open()
                for _ in range(3):
                    assert await asked(server, connections=connections) == GOOD
                assert (server.connections, server.open) == (opened, 1)
                await connections.close()
                await server.wait_until_idle()

    run(main())


def test_at_any_other_time_each_exchange_has_its_own() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            connections = Connections("Test")
            for number, options in enumerate(({}, {"connections": connections}, {"connections": connections}), 1):
                assert await asked(server, **options) == GOOD
                await server.wait_until_idle()
                assert server.connections == number
            await connections.close()  # of none

    run(main())


@pytest.mark.promise("D-WEB-06")
def test_another_event_loop_gets_connections_of_its_own() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            connections = Connections("Test")
            await connections.open()
            assert await asked(server, connections=connections) == GOOD
            assert await asyncio.to_thread(run, asked(server, connections=connections)) == GOOD
            assert await asked(server, connections=connections) == GOOD
            assert (len(server.requests), server.connections) == (3, 2)
            await connections.close()

    run(main())


def test_they_are_opened_once() -> None:
    async def main() -> None:
        connections = Connections("AcmePack")
        await connections.open()
        with pytest.raises(PluginLoadFailed, match=r"^AcmePack: it is entered already\. Leave it before"):
            await connections.open()
        await connections.close()
        await connections.open()
        await connections.close()

    run(main())


def test_closing_ends_the_exchanges_that_run() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(HttpReply(steps=(), then="hold")) as server:
            connections = Connections("Test")
            await connections.open()
            task = asyncio.ensure_future(asked(server, connections=connections))
            await server.asked.wait()
            await connections.close()
            assert isinstance(await task, Ended)
            await server.wait_until_idle()

    run(main())


def test_a_copy_opens_its_own_and_keeps_the_fake() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            connections = Connections("Test")
            await connections.open()
            await asked(server, connections=connections)
            await asked(server, connections=copy.deepcopy(connections))
            assert server.connections == 2
            await connections.close()
            fake = httpx.MockTransport(lambda request: httpx.Response(200, content=request.url.query))
            for faked in (Connections("Test", transport=fake), copy.deepcopy(Connections("Test", transport=fake))):
                assert await asked(server, connections=faked) == b"q=key-of-the-tests-77ab10"
            assert server.connections == 2

    run(main())


def test_a_fake_is_bounded_like_the_network() -> None:
    def answer(status: int, **more: Any) -> Connections:
        return Connections("Test", transport=httpx.MockTransport(lambda _: httpx.Response(status, **more)))

    def lost(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("lost", request=request)

    async def main() -> list[bytes | Ended]:
        fakes = [
            answer(200, content=b"x" * 9),
            answer(200, content=b"x" * 10),
            answer(503),
            answer(200, content=b"", headers={"Content-Encoding": "br"}),
            Connections("Test", transport=httpx.MockTransport(lost)),
        ]
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            ends = [await asked(server, connections=fake, max_bytes=9) for fake in fakes]
            assert server.connections == 0
        return ends

    expected = [
        b"x" * 9,
        Ended(how="too_large"),
        Ended(how="status", status=503),
        Ended(how="packed"),
        Ended(how="no_connection"),
    ]
    assert run(main()) == expected
