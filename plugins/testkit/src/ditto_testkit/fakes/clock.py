"""A clock that only moves when it is told to."""

from __future__ import annotations

import asyncio
import heapq
from itertools import count


class FakeClock:
    """Seconds since an arbitrary beginning, and a ``sleep`` that waits for them.

    Give ``clock.time`` and ``clock.sleep`` to code that takes them as arguments; :meth:`advance` wakes its sleepers in
    the order of their times.
    """

    def __init__(self, now: float = 0.0) -> None:
        self._now = now
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._number = count()

    def time(self) -> float:
        """Return the time, in seconds."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock has been advanced by `seconds`."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._number), waiting))
        await waiting

    async def advance(self, seconds: float) -> None:
        """Move on, wake whose time has come, and let them run until they wait again."""
        end = self._now + seconds
        while self._sleepers and self._sleepers[0][0] <= end:
            self._now, _, waiting = heapq.heappop(self._sleepers)
            if not waiting.done():
                waiting.set_result(None)
            for _ in range(10):
                await asyncio.sleep(0)
        self._now = end
