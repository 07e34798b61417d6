"""Connections for requests that stay what they are: no proxy, no redirect, no cookie, nothing from the environment.

They are used below httpx's client, for its transport does one request and nothing else: it keeps no cookies, unpacks
nothing, and writes no line with the address, and so the query, into the log.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Final

import anyio.lowlevel
import httpx

from ditto_core import PluginLoadFailed

_SEARCHES: Final[ContextVar[bool]] = ContextVar("ditto_brave_searches", default=False)


class Connections:
    """The connections of one provider: kept while it is entered, by the event loop that entered it."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._transport: httpx.AsyncHTTPTransport | None = None

    async def open(self) -> None:
        """Keep connections from now on."""
        if self._transport is not None:
            raise PluginLoadFailed("BraveSearch: it is entered already. Leave it before it is entered again.")
        # httpx works on anyio: what its first use loads is no part of a search's time. Before 4.16 it left a socket
        # open when a search was given up while it was connecting.
        await anyio.lowlevel.checkpoint()
        self._loop, self._transport = asyncio.get_running_loop(), _transport()

    async def close(self) -> None:
        """Close them, also those of searches that still run."""
        transport, self._transport, self._loop = self._transport, None, None
        if transport is not None:
            await transport.aclose()

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[httpx.AsyncHTTPTransport]:
        """Give the kept connections, or else ones for this use alone."""
        if self._transport is not None and self._loop is asyncio.get_running_loop():
            yield self._transport
        else:
            async with _transport() as transport:
                yield transport

    def __deepcopy__(self, memo: object) -> Connections:
        return Connections()  # connections belong to the provider that opened them


def _transport() -> httpx.AsyncHTTPTransport:
    return httpx.AsyncHTTPTransport(verify=_trusted(), trust_env=False)


@cache
def _trusted() -> ssl.SSLContext:
    """Return the authorities that httpx brings; reading them takes longer than a search from nearby."""
    return httpx.create_ssl_context(trust_env=False)


@contextmanager
def silence() -> Iterator[None]:
    """Keep what httpcore says about the requests made inside out of the log, where it would show whole headers.

    What it says about the requests of others is not touched.
    """
    token = _SEARCHES.set(True)
    try:
        yield
    finally:
        _SEARCHES.reset(token)


def _is_of_others(record: logging.LogRecord) -> bool:
    return not _SEARCHES.get()


for _name in ("httpcore.connection", "httpcore.http11"):
    logging.getLogger(_name).addFilter(_is_of_others)
