"""The scripted HTTP server sends what its script says, to the byte, and sees what its clients do."""

from __future__ import annotations

import asyncio
import gc
import socket
import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest

from ditto_testkit.fakes import DeafServer, Drip, Flood, HttpReply, ScriptedHttpServer, hostile_replies, http_reply
from ditto_testkit.fakes.bombs import SIZE, bomb
from ditto_testkit.suite.unraisable import held_back
from tests.support import run

GOOD = b'{"results": []}'
REPLIES = hostile_replies(GOOD, repeats=["KEY-1", "QUERY-1"], elsewhere="http://127.0.0.1:9/there")

pytestmark = pytest.mark.promise("D-KIT-11")


async def ask(server: ScriptedHttpServer, request: bytes = b"GET /a?q=b+c&q=d HTTP/1.1\r\nHost: x\r\n\r\n") -> bytes:
    """Return everything that one connection gets."""
    loop, pieces = asyncio.get_running_loop(), []
    with await connected(server) as connection:
        await loop.sock_sendall(connection, request)
        connection.shutdown(socket.SHUT_WR)
        while piece := await loop.sock_recv(connection, 65_536):
            pieces.append(piece)
    return b"".join(pieces)


def test_requests_are_kept_as_they_arrived() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply("hello", 404, [("X-A", "1")])) as server:
            answer = await ask(server, b"POST /a?q=b+c&q=d HTTP/1.1\r\nX-Key: k\r\nContent-Length: 3\r\n\r\nabc")
            assert answer == b"HTTP/1.1 404 Not Found\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello"
            (request,) = server.requests
            assert (request.method, request.path, request.query) == ("POST", "/a", {"q": ["b c", "d"]})
            assert (request.all("X-KEY"), request.all("none"), request.body) == (["k"], [], b"abc")
            await server.wait_until_idle()
            assert (server.connections, server.open) == (1, 0)

    run(main())


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        (HttpReply(steps=(b"a", b"b")), [b"ab", b"ab", b"ab"]),
        ([HttpReply(steps=(b"a",)), HttpReply(steps=(b"b",))], [b"a", b"b", b"b"]),
        (lambda request: HttpReply(steps=(request.path.encode(),)), [b"/a", b"/a", b"/a"]),
    ],
    ids=["one", "in order", "function"],
)
def test_replies_come_from_the_script(script: HttpReply | Callable[..., HttpReply], answers: list[bytes]) -> None:
    async def main() -> list[bytes]:
        async with ScriptedHttpServer(script) as server:
            return [await ask(server) for _ in answers]

    assert run(main()) == answers
    with pytest.raises(ValueError, match="give at least one"):
        ScriptedHttpServer([])


def test_a_connection_is_kept_closed_reset_or_held() -> None:
    two = b"GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"

    async def main() -> None:
        async with ScriptedHttpServer(lambda request: HttpReply(steps=(b"x",), then="keep")) as server:
            assert await ask(server, two) == b"xx"
        async with ScriptedHttpServer(HttpReply(steps=(b"x",))) as server:
            assert await ask(server, two) == b"x"
        async with ScriptedHttpServer(HttpReply(steps=(b"x",), then="reset")) as server:
            with pytest.raises(ConnectionResetError):
                await ask(server)
        async with ScriptedHttpServer(HttpReply(steps=(), then="hold")) as server:
            with await connected(server) as connection:
                await asyncio.get_running_loop().sock_sendall(connection, two)
            await server.wait_until_idle()

    run(main())


def test_leaving_ends_what_is_held() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(HttpReply(steps=(b"x",), then="hold")) as server:
            loop, connection = asyncio.get_running_loop(), await connected(server)
            await loop.sock_sendall(connection, b"GET / HTTP/1.1\r\n\r\n")
            assert await loop.sock_recv(connection, 100) == b"x"
        assert await loop.sock_recv(connection, 100) == b""
        connection.close()

    run(main())


@pytest.mark.parametrize("turns", range(6))
def test_leaving_closes_a_connection_that_has_just_come(turns: int) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply("x")) as server:
            port = int(server.origin.rpartition(":")[2])
            client = socket.create_connection(("127.0.0.1", port))  # it waits in the server's queue from here on
            for _ in range(turns):
                await asyncio.sleep(0)
        client.close()
        assert server.open == 0

    with held_back() as unclosed:
        asyncio.run(main())
        gc.collect()
    assert unclosed == []


def test_drips_and_floods_end_when_the_client_has_gone() -> None:
    async def main() -> None:
        for step in (Drip(data=b"ab", pause=0.001), Flood(data=b"ab" * 1000)):
            async with ScriptedHttpServer(HttpReply(steps=(step,))) as server:
                loop, begin = asyncio.get_running_loop(), b""
                with await connected(server) as connection:
                    await loop.sock_sendall(connection, b"GET / HTTP/1.1\r\n\r\n")
                    while len(begin) < 6:
                        begin += await loop.sock_recv(connection, 6 - len(begin))
                assert begin == b"ababab"
                await server.wait_until_idle()
        async with ScriptedHttpServer(HttpReply(steps=(Flood(data=b"ab" * 1000, size=5000),))) as server:
            assert await ask(server) == b"ab" * 2000

    run(main())


@pytest.mark.parametrize(
    "request_", [b"", b"nonsense\r\n\r\n", b"A B C\r\nContent-Length: 9999999\r\n\r\n", b"x" * 100_000]
)
def test_what_is_no_request_gets_no_answer(request_: bytes) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply("x")) as server:
            with suppress(ConnectionError):
                assert await ask(server, request_) == b""
            assert server.requests == []

    run(main())


def test_a_deaf_server_takes_no_connection() -> None:
    async def main() -> None:
        with DeafServer() as server, pytest.raises(TimeoutError):
            await asyncio.wait_for(connected(server), 0.1)

    run(main())


def test_bombs_unpack_to_500_mib() -> None:
    unpacker, data, size = zlib.decompressobj(31), bomb("gzip"), 0
    while not unpacker.eof:
        size += len(unpacker.decompress(data, 1 << 20))
        data = unpacker.unconsumed_tail
    assert size == SIZE
    assert zlib.decompressobj().decompress(bomb("deflate"), 1 << 20) == bytes(1 << 20)
    assert [encoding for encoding in ("gzip", "deflate", "br", "zstd") if len(bomb(encoding)) > 1 << 20] == []


def test_hostile_replies_are_what_their_names_say() -> None:
    for name, reply in REPLIES.items():
        assert reply.is_endless == name.startswith(("endless-", "slow-")), name
        assert len(b"".join(step for step in reply.steps if isinstance(step, bytes))) < 2 << 20
    refusals = [first(name) for name in REPLIES if name.startswith("status-4") and "good" not in name]
    assert len(refusals) >= 5
    assert [reply for reply in refusals if b"KEY-1 QUERY-1" not in reply.partition(b"\r\n\r\n")[2]] == []
    assert b"Location: http://127.0.0.1:9/there" in first("redirect-307")


def test_every_hostile_reply_arrives() -> None:
    async def main() -> None:
        for name, reply in REPLIES.items():
            if not reply.is_endless:
                async with ScriptedHttpServer(reply) as server:
                    try:
                        assert await ask(server) == first(name)
                    except ConnectionError:
                        assert reply.then == "reset"

    run(main())


async def connected(server: ScriptedHttpServer | DeafServer) -> socket.socket:
    """Give a connection to the server."""
    host, port = server.origin.removeprefix("http://").split(":")
    connection = socket.socket()
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(connection, (host, int(port)))
    except BaseException:
        connection.close()
        raise
    return connection


def first(name: str) -> bytes:
    """Give the bytes of a reply that is made of bytes."""
    return b"".join(step for step in REPLIES[name].steps if isinstance(step, bytes))
