"""One writer for each stream, however many sinks share it: deliveries go out whole, in order, in a thread.

The thread is a daemon and belongs to no event loop: a reader that does not read holds up neither a loop nor the end
of the process. It lives as long as there is something to write.
"""

from __future__ import annotations

import asyncio
import errno
import threading
import weakref
from collections import deque
from typing import Any, Final

import attrs

from ditto_core import InvalidValue

from .failures import BUSY, CLOSED, NO_THREAD, WRITE_FAILED, Failure
from .shutdown import forget_at_exit
from .target import StreamClosed, Target, WriteFailed

MAX_WAITING: Final = 64 * 1024 * 1024
"""How many bytes may wait for one stream, each delivery counted with `OVERHEAD`; the first in line always may."""
OVERHEAD: Final = 1024
"""Bytes that a waiting delivery is counted with beside its own."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Delivery:
    """What is to be written where, and the future that learns of its end: None, or the failure."""

    target: Target
    data: str | bytes
    written: asyncio.Future[Failure | None]

    @property
    def size(self) -> int:
        """What the delivery counts while it waits, in bytes."""
        return len(self.data) + OVERHEAD


class Writer:
    """Writes the deliveries for one stream, one after the other. It holds no reference to the stream."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Delivery] = deque()
        self._size = 0
        self._running = False
        self._torn = False

    def submit(self, delivery: Delivery) -> Failure | None:
        """Put a delivery in line; the answer is a failure when there is no room or no thread."""
        with self._lock:
            if self._waiting and self._size + delivery.size > MAX_WAITING:
                return BUSY
            if not self._running:
                try:
                    threading.Thread(target=self._work, name="ditto-console", daemon=True).start()
                except RuntimeError:
                    return NO_THREAD
                self._running = True
            self._waiting.append(delivery)
            self._size += delivery.size
        return None

    def _work(self) -> None:
        while (delivery := self._next()) is not None:
            if not delivery.written.cancelled():
                _tell(delivery.written, self._write(delivery.target, delivery.data))

    def _next(self) -> Delivery | None:
        with self._lock:
            if not self._waiting:
                self._running = False
                return None
            delivery = self._waiting.popleft()
            self._size -= delivery.size
            return delivery

    def _write(self, target: Target, data: str | bytes) -> Failure | None:
        if self._torn:  # what was written last may have no end, and this delivery needs a line of its own
            data = target.encode("\n") + data  # type: ignore[operator]
        try:
            target.write(data)
        except StreamClosed:
            return CLOSED
        except WriteFailed as failed:
            self._torn |= failed.torn
            if isinstance(failed.__cause__, ConnectionError):
                forget_at_exit(target.outer)
            return attrs.evolve(WRITE_FAILED, cause=_cause(failed.__cause__))
        self._torn = False
        return None


def _tell(future: asyncio.Future[Failure | None], failure: Failure | None) -> None:
    def settle() -> None:
        if not future.done():
            future.set_result(failure)

    try:
        future.get_loop().call_soon_threadsafe(settle)
    except RuntimeError:
        return  # the loop was closed meanwhile: nobody is left to be told


def _cause(error: BaseException | None) -> str:
    """Return ``"EPIPE"`` and the like, or the name of the exception's class."""
    name = errno.errorcode.get(error.errno or 0) if isinstance(error, OSError) else None
    return name or type(error).__name__


_writers: weakref.WeakKeyDictionary[Any, Writer] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def writer_of(target: Target) -> Writer:
    """Return the writer that all sinks on the target's stream share; raises :class:`InvalidValue` if none can be."""
    with _lock:
        try:
            return _writers.setdefault(target.inner, Writer())
        except TypeError:
            raise InvalidValue(
                "ConsoleSink.stream", "must allow weak references and be hashable; derive it from a class of io"
            ) from None
