"""Two search providers that keep every rule: one with documents of its own, one that asks a service over HTTP.

The broken ones change one thing of them each.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from ditto_core import SearchFailed, SearchHit
from ditto_testkit import Capabilities, ProviderSubject

KEY = "made-up-key-77ab"
TITLES = ["number0", "number1", "number2", "plain", *(f"how the ditto search plugin {n}" for n in range(25))]
MOST = 262_144

_FAILED = "The search failed."
_status = re.compile(rb"HTTP/1\.1 (\d{3}) [^\0]*").fullmatch
_header = re.compile(rb"([!-9;-~]+): ?([^\0]*)").fullmatch


class Memory:
    """Finds titles by words."""

    origin: Any = None

    async def search(self, query: str, limit: int) -> Any:
        await asyncio.sleep(0)
        return self.find(query)[:limit]

    def find(self, query: str) -> list[SearchHit]:
        words = set(query.split())
        return [
            SearchHit(title=title, url=f"http://h/{title}".replace(" ", "_"))
            for title in TITLES
            if words & {*title.split()}
        ]


class Refused(Exception):
    """The answer is none."""

    def __init__(self, *, retryable: bool = False, said: bytes = b"") -> None:
        super().__init__(said)
        self.retryable = retryable


class Http:
    """Asks one service: one connection, one request, one deadline, at most :data:`MOST` bytes."""

    __slots__ = ("_address", "_key", "_timeout")

    def __init__(self, url: str, timeout: float) -> None:
        self._address = url.removeprefix("http://")
        self._key = lambda: KEY
        self._timeout = timeout

    @property
    def origin(self) -> str:
        return f"http://{self._address}"

    async def search(self, query: str, limit: int) -> Any:
        retryable: bool | None = None
        try:
            async with asyncio.timeout(self._timeout):
                return self.hits(await self.body(query, limit))[:limit]
        except Refused as refused:
            retryable = refused.retryable
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            retryable = True
        except (ValueError, TypeError, KeyError, RecursionError, asyncio.LimitOverrunError):
            retryable = False
        raise SearchFailed(_FAILED, retryable=retryable)

    def target(self, query: str, limit: int) -> str:
        return "/find?" + urlencode({"q": query, "count": limit})

    async def body(self, query: str, limit: int) -> bytes:
        port = int(self._address.removeprefix("127.0.0.1:"))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            request = (
                f"GET {self.target(query, limit)} HTTP/1.1\r\nHost: {self._address}\r\nX-Key: {self._key()}\r\n\r\n"
            )
            writer.write(request.encode())
            return await self.answer(reader)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def answer(self, reader: asyncio.StreamReader) -> bytes:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[:-2]
        status = _status(first)
        headers = [_header(line) for line in lines]
        if status is None or None in headers:
            raise Refused
        pairs = [(found[1].lower(), found[2]) for found in headers if found]
        if status[1] != b"200":
            await self.refuse(int(status[1]), pairs, reader)
        lengths = [value for name, value in pairs if name == b"content-length"]
        if any(name.endswith(b"-encoding") for name, _ in pairs) or len(lengths) > 1 or int([*lengths, 0][0]) > MOST:
            raise Refused
        if not lengths:
            return await self.body_without_length(reader)
        return await reader.readexactly(int(lengths[0]))

    async def refuse(self, status: int, headers: list[tuple[bytes, bytes]], reader: asyncio.StreamReader) -> None:
        raise Refused(retryable=status == 429 or status // 100 == 5)

    async def body_without_length(self, reader: asyncio.StreamReader) -> bytes:
        raise Refused

    def text(self, body: bytes) -> str:
        return body.decode()

    def hits(self, body: bytes) -> list[SearchHit]:
        found = json.loads(self.text(body), parse_constant=float.fromhex)
        if type(found) is not dict or list(found) != ["hits"]:
            raise Refused
        return [SearchHit(title=title, url=url, snippet=snippet) for title, url, snippet in found["hits"]]


def reply(hits: Sequence[SearchHit]) -> bytes:
    return json.dumps({"hits": [[hit.title, hit.url, hit.snippet] for hit in hits]}).encode()


def memory(kind: type[Any]) -> ProviderSubject:
    return ProviderSubject(make=kind, capabilities=Capabilities(no_backend="it has documents of its own"))


def http(kind: type[Any], made: type[Any] | None = None) -> ProviderSubject:
    """Give a provider that is made by `made` where it is only looked at."""
    return ProviderSubject(
        make=lambda: (made or kind)("http://127.0.0.1:9", 5.0), make_at=kind, reply=reply, secrets=(KEY,)
    )
