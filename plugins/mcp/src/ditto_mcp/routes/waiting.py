"""Whether somebody still waits for a request: if not, what goes on for it over HTTP is ended.

For versions before 2026 a lost connection means nothing to a server, so the SDK leaves the answer of a request that
was given up open, and with it a connection. It sends in the context of who asked, which tells whose answer it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Final, TypeVar

R = TypeVar("R")


class NobodyWaits(Exception):
    """The request was given up."""


class Waiting:
    """Somebody who waits for one request, until :meth:`give_up`."""

    def __init__(self) -> None:
        self._working: set[asyncio.Timeout] = set()
        self._is_over = False
        self.resumed = 0
        """How often the answer broke off and was asked for again."""

    def give_up(self) -> None:
        """End what goes on for the request, and what would be begun for it."""
        self._is_over = True
        for work in tuple(self._working):
            work.reschedule(asyncio.get_running_loop().time())

    async def meanwhile(self, work: Callable[[], Awaitable[R]]) -> R:
        """Do something for the request; raises :class:`NobodyWaits`."""
        if self._is_over:
            raise NobodyWaits
        until_given_up = asyncio.timeout(None)
        try:
            async with until_given_up:
                self._working.add(until_given_up)
                try:
                    return await work()
                finally:
                    self._working.discard(until_given_up)
        except TimeoutError:
            if not until_given_up.expired():
                raise
        raise NobodyWaits


WAITING: Final[ContextVar[Waiting | None]] = ContextVar("ditto_mcp_waiting", default=None)
"""Who waits for the request that this context belongs to; None: nobody can give it up."""


async def while_waited_for(work: Callable[[], Awaitable[R]]) -> R:
    """Do something for the request that this context belongs to; raises :class:`NobodyWaits` once it is given up."""
    waiting = WAITING.get()
    return await (work() if waiting is None else waiting.meanwhile(work))
