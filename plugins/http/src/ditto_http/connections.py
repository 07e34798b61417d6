"""Connections for requests that stay what they are: no proxy, no redirect, no cookie, nothing from the environment.

They are used below httpx's client, for its transport does one request and nothing else: it keeps no cookies, unpacks
nothing, and writes no line with the address, and so the query, into the log.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import httpx

from ditto_core import PluginLoadFailed


class Connections:
    """The connections of one plugin: kept between :meth:`open` and :meth:`close`, by the event loop that opened them.

    At any other time, and in another event loop, each exchange makes one of its own and closes it. ``owner`` is the
    plugin's name for errors. ``transport`` is for tests: what answers instead of the network, such as an
    ``httpx.MockTransport``.
    """

    def __init__(self, owner: str, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._owner = owner
        self._fake = transport
        self._loop: asyncio.AbstractEventLoop | None = None
        self._transport: httpx.AsyncHTTPTransport | None = None

    async def open(self) -> None:
        """Keep connections from now on; raises :class:`~ditto_core.PluginLoadFailed` if that is so already."""
        if self._transport is not None:
            raise PluginLoadFailed(f"{self._owner}: it is entered already. Leave it before it is entered again.")
        self._loop, self._transport = asyncio.get_running_loop(), _transport()

    async def close(self) -> None:
        """Close them, also those of exchanges that still run."""
        transport, self._transport, self._loop = self._transport, None, None
        if transport is not None:
            await transport.aclose()

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[httpx.AsyncBaseTransport]:
        """Give the kept connections, or else ones for this use alone."""
        if self._fake is not None:
            yield self._fake
        elif self._transport is not None and self._loop is asyncio.get_running_loop():
            yield self._transport
        else:
            async with _transport() as transport:
                yield transport

    def __deepcopy__(self, memo: object) -> Connections:
        return Connections(self._owner, transport=self._fake)  # connections belong to the plugin that opened them


def _transport() -> httpx.AsyncHTTPTransport:
    return httpx.AsyncHTTPTransport(verify=_trusted(), trust_env=False)


@cache
def _trusted() -> ssl.SSLContext:
    """Return the authorities that httpx brings; reading them takes longer than an exchange with somebody near."""
    return httpx.create_ssl_context(trust_env=False)
