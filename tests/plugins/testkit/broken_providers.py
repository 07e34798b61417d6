"""For each check of search providers a provider that breaks that rule and no other."""

from __future__ import annotations

import asyncio
import itertools
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit

import attrs

from ditto_core import SearchFailed, SearchHit
from ditto_testkit import ProviderSubject
from tests.plugins.testkit import left_behind
from tests.plugins.testkit.good_providers import KEY, Http, Memory, Refused, http, memory

LOG = logging.getLogger("tests.broken_provider")


class PlainMethod(Memory):
    search: Any = property(lambda self: lambda query, limit: Memory.search(self, query, limit))


class CapitalOrigin(Http):
    origin = "HTTP://127.0.0.1:9/"


class PathInOrigin(Http):
    origin = "http://127.0.0.1:9/find"


class ChangingOrigin(Http):
    numbers = itertools.count(1000)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{next(self.numbers)}"


class Dicts(Memory):
    async def search(self, query: str, limit: int) -> Any:
        return [{"title": hit.title, "url": hit.url} for hit in await super().search(query, limit)]


class OtherUrls(Memory):
    def find(self, query: str) -> list[SearchHit]:
        return [attrs.evolve(hit, url=hit.url.replace("http:", "file:")) for hit in super().find(query)]


class Resorted(Http):
    def hits(self, body: bytes) -> list[SearchHit]:
        return super().hits(body)[::-1]


class OneMore(Http):
    async def search(self, query: str, limit: int) -> Any:
        return await super().search(query, limit + 1)


class AllThereAre(Memory):
    async def search(self, query: str, limit: int) -> Any:
        return await super().search(query, 100)


class NotEncoded(Http):
    def target(self, query: str, limit: int) -> str:
        return f"/find?q={quote(query, safe='&=')}&count={limit}"


class Shortens(Http):
    def target(self, query: str, limit: int) -> str:
        return super().target(query[:400], limit)


class Operators(Memory):
    async def search(self, query: str, limit: int) -> Any:
        if query.count('"') % 2:
            raise SearchFailed("unterminated string")
        return await super().search(query, limit)


class ToldAlready(Memory):
    last = ""

    async def search(self, query: str, limit: int) -> Any:
        last, self.last = self.last, query
        return [] if query == last else await super().search(query, limit)


class Shares(Memory):
    current = ""

    async def search(self, query: str, limit: int) -> Any:
        self.current = query
        await asyncio.sleep(0)
        return await super().search(self.current, limit)


class Swallows(Memory):
    async def search(self, query: str, limit: int) -> Any:
        try:
            return await super().search(query, limit)
        except asyncio.CancelledError:
            raise SearchFailed("It was cancelled.") from None


class FindsNothing(Memory):
    async def search(self, query: str, limit: int) -> Any:
        with suppress(asyncio.CancelledError):
            return await super().search(query, limit)
        return []


class TakesCancellationForFailure(Http):
    async def search(self, query: str, limit: int) -> Any:
        try:
            return await super().search(query, limit)
        except BaseException as error:
            retryable = getattr(error, "retryable", False)
        raise SearchFailed("The search failed.", retryable=retryable)


class LeavesATask(Memory):
    tasks: ClassVar[set[Any]] = set()

    async def search(self, query: str, limit: int) -> Any:
        self.tasks.add(asyncio.ensure_future(asyncio.Event().wait()))
        return await super().search(query, limit)


class LeavesAFile(Memory):
    async def search(self, query: str, limit: int) -> Any:
        left_behind.an_open_file()
        return await super().search(query, limit)


class LeavesAThread(Memory):
    async def search(self, query: str, limit: int) -> Any:
        left_behind.a_thread()
        return await super().search(query, limit)


class Connects(Memory):
    async def search(self, query: str, limit: int) -> Any:
        with suppress(OSError), socket.create_connection(("127.0.0.1", 9), timeout=1):
            pass
        return await super().search(query, limit)


class LooksUp(Memory):
    async def search(self, query: str, limit: int) -> Any:
        socket.getaddrinfo("127.0.0.1", 80)
        return await super().search(query, limit)


class OtherOrigin(Http):
    origin = "http://127.0.0.1:1"


class SkipsABom(Http):
    def text(self, body: bytes) -> str:
        return body.decode("utf-8-sig")


class ReadsAnyStatus(Http):
    async def refuse(self, status: int, headers: list[tuple[bytes, bytes]], reader: asyncio.StreamReader) -> None:
        if status // 100 not in (2, 3):
            await super().refuse(status, headers, reader)


class RaisesValueError(Http):
    async def search(self, query: str, limit: int) -> Any:
        try:
            return await super().search(query, limit)
        except SearchFailed as error:
            if error.retryable:
                raise
        raise ValueError("It is not JSON.")


class TellsTheQuery(Http):
    async def search(self, query: str, limit: int) -> Any:
        try:
            return await super().search(query, limit)
        except SearchFailed as error:
            retryable = error.retryable
        raise SearchFailed(f"The search for {query} failed.", retryable=retryable)


class ChainsTheBody(Http):
    async def refuse(self, status: int, headers: list[tuple[bytes, bytes]], reader: asyncio.StreamReader) -> None:
        raise Refused(
            retryable=status == 429 or status // 100 == 5, said=await reader.read(1000) if status >= 400 else b""
        )

    async def search(self, query: str, limit: int) -> Any:
        try:
            return self.hits(await asyncio.wait_for(self.body(query, limit), self._timeout))[:limit]
        except Refused as refused:
            raise SearchFailed("The search failed.", retryable=refused.retryable) from refused
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            raise SearchFailed("The search failed.", retryable=True) from None
        except (ValueError, TypeError, KeyError, RecursionError, asyncio.LimitOverrunError):
            raise SearchFailed("The search failed.") from None


class LogsTheRequest(Http):
    def target(self, query: str, limit: int) -> str:
        target = super().target(query, limit)
        LOG.info("GET %s", target)
        return target


class LogsTheKey(Http):
    def target(self, query: str, limit: int) -> str:
        LOG.debug("the headers are X-Key: %s", KEY)
        return super().target(query, limit)


class ADeadlineForEachByte(Http):
    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(url, 1000.0)
        self.each = timeout

    async def answer(self, reader: asyncio.StreamReader) -> bytes:
        return await super().answer(EachByte(reader, self.each))  # type: ignore[arg-type]


class EachByte:
    """A reader that waits as long as something comes now and then."""

    def __init__(self, reader: asyncio.StreamReader, each: float) -> None:
        self.reader = reader
        self.each = each
        self.read = bytearray()

    async def readuntil(self, separator: bytes) -> bytes:
        while separator not in self.read:
            if len(self.read) > 65_536:
                raise Refused
            await self.more()
        return await self.readexactly(self.read.index(separator) + len(separator))

    async def readexactly(self, size: int) -> bytes:
        while len(self.read) < size:
            await self.more()
        found = bytes(self.read[:size])
        del self.read[:size]
        return found

    async def more(self) -> None:
        data = await asyncio.wait_for(self.reader.read(4096), self.each)
        if not data:
            raise asyncio.IncompleteReadError(b"", None)
        self.read += data


class ReadsOn(Http):
    async def body_without_length(self, reader: asyncio.StreamReader) -> bytes:
        kept = bytearray()
        while len(kept) < 10 << 20:
            data = await reader.read(1 << 20)
            if not data:
                break
            kept += data
        raise Refused


class AlwaysRetryable(Http):
    async def search(self, query: str, limit: int) -> Any:
        failed = False
        try:
            return await super().search(query, limit)
        except SearchFailed:
            failed = True
        raise SearchFailed("The search failed.", retryable=failed)


class NeverRetryable(Http):
    async def search(self, query: str, limit: int) -> Any:
        with suppress(SearchFailed):
            return await super().search(query, limit)
        raise SearchFailed("The search failed.")


class TriesAgain(Http):
    async def body(self, query: str, limit: int) -> bytes:
        try:
            return await super().body(query, limit)
        except Refused as refused:
            if not refused.retryable:
                raise
        return await super().body(query, limit)


class AsksElsewhere(Http):
    async def refuse(self, status: int, headers: list[tuple[bytes, bytes]], reader: asyncio.StreamReader) -> None:
        for name, value in headers:
            if name == b"location":
                _, writer = await asyncio.open_connection("127.0.0.1", urlsplit(value.decode()).port)
                writer.close()
        await super().refuse(status, headers, reader)


class ShowsTheKey(Http):
    def __repr__(self) -> str:
        return f"ShowsTheKey(key={self._key()!r})"


class KeepsTheKeyOpen(Http):
    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(url, timeout)
        self.key = KEY  # in a __dict__, since this class has one


BROKEN: dict[str, Callable[[], ProviderSubject]] = {
    "WS-001 a method that is not async": lambda: memory(PlainMethod),
    "WS-002 capitals and a slash": lambda: http(Http, CapitalOrigin),
    "WS-002 a path": lambda: http(Http, PathInOrigin),
    "WS-002 another one each time": lambda: http(Http, ChangingOrigin),
    "WS-003 dicts": lambda: memory(Dicts),
    "WS-003 URLs of files": lambda: memory(OtherUrls),
    "WS-003 another order": lambda: http(Resorted),
    "WS-004 one more": lambda: http(OneMore),
    "WS-004 all there are": lambda: memory(AllThereAre),
    "WS-005 a query that is not encoded": lambda: http(NotEncoded),
    "WS-005 a query that is cut": lambda: http(Shortens),
    "WS-005 a query that has a syntax": lambda: memory(Operators),
    "WS-006 tells nothing twice": lambda: memory(ToldAlready),
    "WS-007 mixes searches": lambda: memory(Shares),
    "WS-008 a failure instead of a cancellation": lambda: memory(Swallows),
    "WS-008 finds nothing when it is cancelled": lambda: memory(FindsNothing),
    "WS-008 catches everything": lambda: http(TakesCancellationForFailure),
    "WS-009 leaves a task": lambda: memory(LeavesATask),
    "WS-009 leaves a file": lambda: memory(LeavesAFile),
    "WS-009 leaves a thread": lambda: memory(LeavesAThread),
    "WS-010 connects without an origin": lambda: memory(Connects),
    "WS-010 looks up a name without an origin": lambda: memory(LooksUp),
    "WS-010 tells another origin": lambda: http(OtherOrigin, Http),
    "WS-011 skips a BOM": lambda: http(SkipsABom),
    "WS-011 reads the body of most refusals": lambda: http(ReadsAnyStatus),
    "WS-011 raises what nobody knows": lambda: http(RaisesValueError),
    "WS-012 the query in the message": lambda: http(TellsTheQuery),
    "WS-012 what the server said in the chain": lambda: http(ChainsTheBody),
    "WS-012 the request in the log": lambda: http(LogsTheRequest),
    "WS-012 the key in the log": lambda: http(LogsTheKey),
    "WS-013 a deadline for each byte": lambda: http(ADeadlineForEachByte),
    "WS-014 reads whatever comes": lambda: http(ReadsOn),
    "WS-015 always retryable": lambda: http(AlwaysRetryable),
    "WS-015 never retryable": lambda: http(NeverRetryable),
    "WS-016 tries again": lambda: http(TriesAgain),
    "WS-016 asks elsewhere": lambda: http(AsksElsewhere),
    "WS-017 shows its key": lambda: http(ShowsTheKey),
    "WS-017 keeps its key open": lambda: http(KeepsTheKeyOpen),
}
