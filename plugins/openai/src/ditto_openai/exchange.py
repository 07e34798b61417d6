"""One request and its answer: no proxy, no redirect, no cookie, nothing from the environment, nothing into the log.

This works below httpx's client, for its transport does one request and nothing else: it keeps no cookies, unpacks
nothing, and writes no line about the request.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Final, cast

import anyio.lowlevel
import attrs
import httpx

from .failures import BROKEN, CUT, NO_CONNECTION, PACKED, TOO_LARGE, Failure, refused

_PIECES: Final = 200  # are read before others get their turn, the deadline too
_ASKING: Final[ContextVar[bool]] = ContextVar("ditto_openai_asking", default=False)


@attrs.frozen
class Interrupted:
    """The exchange was cancelled, or the process is to end; ``error`` says so."""

    error: BaseException

    def forgetful(self) -> BaseException:
        """Return the exception without the places that it came through: their variables hold the key."""
        self.error.__context__ = self.error.__cause__ = None
        return self.error.with_traceback(None)


async def exchange(request: httpx.Request, *, max_bytes: int) -> bytes | Failure | Interrupted:
    """Return the body of the answer, or how the exchange ended instead; raises nothing.

    The connection is made for this request and closed after it.
    """
    try:
        with _silence():
            await anyio.lowlevel.checkpoint()  # httpx works on it; before 4.16 it left sockets open when given up
            async with httpx.AsyncHTTPTransport(verify=_trusted(), trust_env=False) as transport:
                return await _body(transport, request, max_bytes)
    except httpx.TransportError:
        return NO_CONNECTION
    except Exception:
        return BROKEN
    except BaseException as error:
        return Interrupted(error)


async def _body(transport: httpx.AsyncHTTPTransport, request: httpx.Request, max_bytes: int) -> bytes | Failure:
    """Return the body of the answer; of any but a plain one nothing is read."""
    response = await _answered(transport, request)
    try:
        if response.status_code != httpx.codes.OK:
            return refused(response.status_code)
        encodings = [value.lower() for value in response.headers.get_list("Content-Encoding")]
        if encodings not in ([], ["identity"]):
            return PACKED
        return await _counted(response, max_bytes)
    except httpx.TransportError:
        return CUT
    finally:
        await response.aclose()


async def _counted(response: httpx.Response, max_bytes: int) -> bytes | Failure:
    body = bytearray()
    async with aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_raw())) as pieces:
        count = 0
        async for piece in pieces:
            body += piece
            if len(body) > max_bytes:
                return TOO_LARGE
            count += 1
            if count % _PIECES == 0:  # what has arrived at once may be thousands of pieces
                await asyncio.sleep(0)
    return bytes(body)


async def _answered(transport: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
    """Return the answer, its body not yet read.

    A connection whose encryption was still being agreed on when the exchange is given up is closed by nobody else.
    """
    opened = []

    async def note(event: str, about: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            opened.append(about["return_value"])

    request.extensions["trace"] = note
    try:
        return await transport.handle_async_request(request)
    except BaseException:
        for stream in opened:
            await stream.aclose()
        raise


@cache
def _trusted() -> ssl.SSLContext:
    """Return the authorities that httpx brings; reading them takes longer than a request to nearby."""
    return httpx.create_ssl_context(trust_env=False)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep what httpcore says about this request out of the log, where it would show the key with all headers.

    What it says about the requests of others is not touched.
    """
    token = _ASKING.set(True)
    try:
        yield
    finally:
        _ASKING.reset(token)


def _is_of_others(record: logging.LogRecord) -> bool:
    return not _ASKING.get()


for _name in ("httpcore.connection", "httpcore.http11"):
    logging.getLogger(_name).addFilter(_is_of_others)
