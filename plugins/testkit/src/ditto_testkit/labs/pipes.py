"""A tool that opens a pipe and waits for somebody to write: seen, and let go, so that the run does not hang."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from ..audit import apart

PATIENCE: Final = 0.5
"""How many seconds a call may have a pipe open before it is let go. Whoever does not wait closes it at once."""


class Hung(Exception):
    """Something did not end by itself."""


class PipeWatch:
    """Watches the pipe of a workspace while the block runs, and raises :class:`Hung` if it had to let somebody go.

    A tool that opens a pipe in an async function stops the event loop with it, so no timeout of that loop can help.
    """

    def __init__(self, pipe: Callable[[], Path], hangs: Callable[[], None]) -> None:
        self.waited = False
        self._hangs = hangs
        self._pipe = pipe
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="ditto-testkit-pipe", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        if self.waited:
            self._hangs()
            raise Hung("It opens a pipe and waits for somebody to write.") from error

    def _watch(self) -> None:
        while not self._ended.wait(PATIENCE):
            try:
                with apart():  # it is the kit that opens it here, whatever is being recorded of a tool
                    writer = os.open(self._pipe(), os.O_WRONLY | os.O_NONBLOCK)  # fails unless there is a reader
            except OSError:
                continue
            # Whoever only looked at it has closed it by the next time; whoever waits reads on from this writer.
            ended = self._ended.wait(PATIENCE)
            if not ended and not _without_reader(writer):
                self.waited = True
            os.close(writer)


def _without_reader(writer: int) -> bool:
    poll = select.poll()
    poll.register(writer, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))
