"""One exchange: one request, one deadline, and the body of the answer or how it ended instead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import Any, Final, cast

import anyio.lowlevel
import httpx

from .connections import Connections
from .ended import Ended
from .silence import silence

_PIECES: Final = 200  # are read before others get their turn, the deadline too


async def exchange(
    request: httpx.Request,
    *,
    max_bytes: int,
    timeout: float | None,
    connections: Connections | None = None,
    statuses: Collection[int] = (httpx.codes.OK,),
) -> bytes | Ended:
    """Send a request and return the body of the answer, or how the exchange ended instead.

    There is one request: no redirect is followed, nothing is repeated, and no proxy, cookie or password of the
    environment is used. Only an answer with one of the ``statuses``, 200 unless told, has its body read, as it comes
    and up to `max_bytes`, and nothing is unpacked: ``Accept-Encoding: identity`` is sent. ``timeout`` is seconds from
    connecting to the last byte; None where who calls has a deadline of its own. Without ``connections`` one is made
    and closed.

    Raises nothing but what ends the task: ``CancelledError``, ``KeyboardInterrupt``, ``SystemExit``. What it raises
    has forgotten the request, and the log has no line about it. So the key is in no variable of any traceback, unless
    the caller keeps the request in one: make it in the call, ``await exchange(request_for(city), …)``.
    """
    found = await _outcome(request, connections or Connections("exchange"), timeout, max_bytes, statuses)
    del request
    if isinstance(found, BaseException):
        found.__context__ = found.__cause__ = None
        raise found.with_traceback(None)  # the places that it came through know the request
    return found


async def _outcome(
    request: httpx.Request, connections: Connections, timeout: float | None, max_bytes: int, statuses: Collection[int]
) -> bytes | Ended | BaseException:
    """Return what the exchange comes to; raises nothing, for a traceback would know the request."""
    try:
        with silence():
            # httpx works on anyio: what its first use loads is no part of the time. Before 4.16 it left a socket open
            # when an exchange was given up while it was connecting.
            await anyio.lowlevel.checkpoint()
            async with asyncio.timeout(timeout), connections.lent() as transport:
                return await _body(transport, request, max_bytes, statuses)
    except TimeoutError:
        return Ended(how="timed_out")
    except (httpx.LocalProtocolError, httpx.UnsupportedProtocol):
        return Ended(how="broken")
    except httpx.TransportError:
        return Ended(how="no_connection")
    except Exception:
        return Ended(how="broken")
    except BaseException as error:
        return error


async def _body(
    transport: httpx.AsyncBaseTransport, request: httpx.Request, max_bytes: int, statuses: Collection[int]
) -> bytes | Ended:
    """Return the body of the answer; of any but a plain one nothing is read."""
    response = await _answered(transport, request)
    try:
        if response.status_code not in statuses:
            return Ended(how="status", status=response.status_code)
        encodings = [value.lower() for value in response.headers.get_list("Content-Encoding")]
        if encodings not in ([], ["identity"]):
            return Ended(how="packed")
        return await _counted(response, max_bytes)
    except httpx.TransportError:
        return Ended(how="cut_off")
    finally:
        await response.aclose()


async def _counted(response: httpx.Response, max_bytes: int) -> bytes | Ended:
    body = bytearray()
    stream = cast("httpx.AsyncByteStream", response.stream)
    async with aclosing(cast("AsyncGenerator[bytes, None]", aiter(stream))) as pieces:
        count = 0
        async for piece in pieces:
            body += piece
            if len(body) > max_bytes:
                return Ended(how="too_large")
            count += 1
            if count % _PIECES == 0:  # what has arrived at once may be thousands of pieces
                await asyncio.sleep(0)
    return bytes(body)


async def _answered(transport: httpx.AsyncBaseTransport, request: httpx.Request) -> httpx.Response:
    """Return the answer, its body not yet read.

    A connection whose encryption was still being agreed on when the exchange is given up is closed by nobody else.
    """
    opened = []

    async def note(event: str, about: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            opened.append(about["return_value"])

    request.headers["Accept-Encoding"] = "identity"
    request.extensions["trace"] = note
    try:
        return await transport.handle_async_request(request)
    except BaseException:
        for stream in opened:
            await stream.aclose()
        raise
