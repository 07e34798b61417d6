"""Exchanges in tests: a request with a key, and replies in the pieces that a test wants."""

from __future__ import annotations

from typing import Any

import httpx

from ditto_http import Ended, exchange
from ditto_testkit.fakes import HttpReply, ScriptedHttpServer

KEY = "key-of-the-tests-77ab10"
GOOD = b'{"answer": 42}'


def request_for(server: ScriptedHttpServer, *, scheme: str = "http", **headers: str) -> httpx.Request:
    """Give a request to this server, with the key in a header and in the query."""
    url = f"{server.origin.replace('http:', f'{scheme}:')}/path?q={KEY}"
    return httpx.Request("GET", url, headers={"X-Key": KEY, **headers})


async def asked(server: ScriptedHttpServer, **options: Any) -> bytes | Ended:
    """Give what one exchange with this server comes to, with bounds that only a fault exceeds."""
    return await exchange(request_for(server), **{"max_bytes": 65_536, "timeout": 20.0, **options})


def in_pieces(body: bytes, size: int, *, chunked: bool = False) -> HttpReply:
    """Give a reply whose body comes in pieces of that size, and ends with the connection or in chunks."""
    head = b"HTTP/1.1 200 OK\r\n" + (b"Transfer-Encoding: chunked\r\n" if chunked else b"") + b"\r\n"
    cut = [body[start : start + size] for start in range(0, len(body), size)]
    if chunked:
        cut = [*(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in cut), b"0\r\n\r\n"]
    return HttpReply(steps=(head, *cut))
