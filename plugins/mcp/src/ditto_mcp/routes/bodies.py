"""Answers over HTTP, bounded and repaired while they are read."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from .escapes import Repairer
from .waiting import NobodyWaits, while_waited_for


class Body(httpx2.AsyncByteStream):
    """The body of an answer; what is wrong with it fails the one request that it answers."""

    def __init__(self, body: httpx2.AsyncByteStream, *, limit: int | None) -> None:
        """Read up to so many bytes; None: of the events in a stream each has its own limit."""
        self._body = body
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body in pieces."""
        size = 0
        repairer = Repairer()
        pieces = aiter(self._body)
        while True:
            try:
                piece = await while_waited_for(pieces.__anext__)
            except StopAsyncIteration:
                break
            except NobodyWaits:
                raise httpx2.StreamError("nobody waits for the answer") from None
            size += len(piece)
            if self._limit is not None and size > self._limit:
                raise httpx2.StreamError("the answer is too long")
            yield repairer.feed(piece)
        yield repairer.end()

    async def aclose(self) -> None:
        """Close the body."""
        await self._body.aclose()


class PackedBody(Body):
    """A body that is compressed, though nobody has asked for that: its size is unknown, so it is not read."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield nothing."""
        raise httpx2.StreamError("the answer is compressed")
        yield b""


def replace_body(response: httpx2.Response, limit: int) -> None:
    """Put a body that keeps the rules into an answer that has not been read yet."""
    body = response.stream
    if not isinstance(body, httpx2.AsyncByteStream):
        return  # it has been read
    # Of a redirect or a refusal the whole body is read, whatever it says that it is.
    is_stream = response.is_success and response.headers.get("content-type", "").lower().startswith(
        "text/event-stream"
    )
    is_packed = response.headers.get("content-encoding", "identity").lower() != "identity"
    response.stream = (PackedBody if is_packed else Body)(body, limit=None if is_stream else limit)
