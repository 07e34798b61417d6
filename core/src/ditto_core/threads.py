"""Daemon threads for functions that block.

asyncio's default executor joins its threads when the loop and the process end, so one stuck function would keep
both from ending. These threads are daemons: whoever waits is freed by cancellation, the function runs on, and
nobody waits for it at the end.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from .errors import RuntimeClosed

R = TypeVar("R")

DEFAULT_LIMIT: Final = 32
"""How many threads a pool has at the most."""


class DaemonThreads:
    """A pool of at most `limit` daemon threads; further functions wait for one in the order they came.

    A thread that waits for the event loop (:meth:`waiting`) does not count: what it waits for may need a thread too.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads = 0
        self._idle = 0
        self._unclaimed = 0
        self._closed = False

    async def run(self, function: Callable[..., R], *args: Any, ended: Callable[[], None] | None = None) -> R:
        """Return what `function(*args)` returns, run in a thread with a copy of the caller's context variables.

        Cancelling frees the caller and not the thread. `ended` is called on the event loop when the function has
        ended (or was dropped before it began), however the caller fared.

        Raises :class:`RuntimeClosed` once the pool is closed, and RuntimeError when the system has no thread for it.
        """
        job = _Job(function, args, ended)
        try:
            self._submit(job)
        except BaseException:
            job.future.cancel()
            if ended is not None:
                ended()
            raise
        return await job.future  # type: ignore[no-any-return]

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let another thread work while this one of the pool waits for something that the event loop has to do."""
        with self._lock:
            self._limit += 1
            self._grow()
        try:
            yield
        finally:
            with self._lock:
                self._limit -= 1

    def close(self) -> None:
        """Take no more functions, and let the threads end once they are idle; nothing waits for them."""
        with self._lock:
            self._closed = True
            for _ in range(self._threads):
                self._jobs.put(None)

    def _submit(self, job: _Job) -> None:
        with self._lock:
            if self._closed:
                raise RuntimeClosed("The runtime is closed: the function has not run.", started=False)
            self._unclaimed += 1
            try:
                self._grow()
            except RuntimeError:
                if not self._threads:  # nobody will ever take it
                    self._unclaimed -= 1
                    raise
            self._jobs.put(job)

    def _grow(self) -> None:
        """Start a thread if there are more functions than idle threads, and the limit allows it."""
        if self._unclaimed > self._idle and self._threads < self._limit:
            threading.Thread(target=self._work, name="ditto-thread", daemon=True).start()
            self._threads += 1
            self._idle += 1

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            with self._lock:
                self._idle -= 1
                self._unclaimed -= 1
            job.run()
            del job  # or the last result would live as long as the thread is idle
            with self._lock:
                if self._threads > self._limit and not self._closed:  # it stood in for one that waited
                    self._threads -= 1
                    return
                self._idle += 1
        with self._lock:
            self._threads -= 1
            self._idle -= 1


class _Job:
    """One function on its way through a thread and back to the event loop."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], ended: Callable[[], None] | None) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.context = contextvars.copy_context()
        self.function = function
        self.args = args
        self.ended = ended

    def run(self) -> None:
        result: Any = None
        error: BaseException | None = None
        if not self.future.cancelled():
            try:
                result = self.context.run(self.function, *self.args)
            except BaseException as raised:
                error = raised
        try:
            self.loop.call_soon_threadsafe(self._settle, result, error)
        except RuntimeError:
            return  # the loop was closed meanwhile: nobody is left to be told

    def _settle(self, result: Any, error: BaseException | None) -> None:
        if self.ended is not None:
            self.ended()
        if self.future.done():
            return
        if isinstance(error, StopIteration):  # which no future can hold
            stopped = error
            error = RuntimeError("the function raised StopIteration")
            error.__cause__ = stopped
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)


SHARED: Final = DaemonThreads()
"""The threads of the process, for what belongs to no runtime."""


async def in_thread(function: Callable[..., R], *args: Any) -> R:
    """Return what `function(*args)` returns, run in one of the process's shared daemon threads (32 at the most).

    For files and other short work that blocks. Cancelling frees the caller and not the thread.
    """
    return await SHARED.run(function, *args)
