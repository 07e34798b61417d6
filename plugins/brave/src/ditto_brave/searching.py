"""One search: one request, one deadline, and a result or a failure that has forgotten both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, cast

import attrs
import httpx

from ditto_core import SearchHit

from .connections import Connections, silence
from .failures import BROKEN, ENCODED, NO_CONNECTION, TOO_LARGE, TOO_SLOW, UNREADABLE, Failure, refused
from .json_bytes import Unreadable
from .reply import hits_of

_PIECES: Final = 200  # are read before others get their turn, the deadline too


@attrs.frozen
class Interrupted:
    """The search was cancelled, or the process is to end; ``error`` says so."""

    error: BaseException

    def forgetful(self) -> BaseException:
        """Return the exception without the places that it came through: their variables hold the key."""
        self.error.__context__ = self.error.__cause__ = None
        return self.error.with_traceback(None)


async def find(
    connections: Connections, request: httpx.Request, *, limit: int, timeout: float, max_bytes: int
) -> list[SearchHit] | Failure | Interrupted:
    """Return the hits, or how the search ended instead; raises nothing."""
    try:
        with silence():
            async with asyncio.timeout(timeout), connections.transport() as transport:
                body = await _body(transport, request, max_bytes)
            return body if isinstance(body, Failure) else hits_of(body, limit)
    except TimeoutError:
        return TOO_SLOW
    except Unreadable:
        return UNREADABLE
    except httpx.TransportError:
        return NO_CONNECTION
    except Exception:
        return BROKEN
    except BaseException as error:
        return Interrupted(error)


async def _body(transport: httpx.AsyncHTTPTransport, request: httpx.Request, max_bytes: int) -> bytes | Failure:
    """Return the body of the answer; of any but a plain one nothing is read."""
    response = await transport.handle_async_request(request)
    try:
        if response.status_code != httpx.codes.OK:
            return refused(response.status_code)
        encodings = [value.lower() for value in response.headers.get_list("Content-Encoding")]
        if encodings not in ([], ["identity"]):
            return ENCODED
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
    finally:
        await response.aclose()
