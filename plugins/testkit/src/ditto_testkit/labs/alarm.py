"""An end for code that holds up the event loop: no timeout of that loop can come."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .pipes import Hung

GRACE = 5.0
"""How many seconds the event loop's own timeout has to do its work before the alarm rings, and the pause between
two rings."""


@contextmanager
def alarm(limit: float) -> Iterator[list[bool]]:
    """Raise :class:`Hung` inside the block, wherever it is, when it takes longer than `limit` seconds and the grace.

    What runs there may swallow that; the list that is given holds something if it has rung. An alarm that was set
    before, as some timeouts of test runners are, goes on afterwards. Signals reach the main thread alone: elsewhere,
    and on a system without them, there is no alarm.
    """
    rung: list[bool] = []
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield rung
        return

    def ring(*_: Any) -> None:
        rung.append(True)
        raise Hung(f"It did not end within {limit:g} s and held up the event loop.")

    begun = time.monotonic()
    before = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, limit + GRACE, GRACE)
    try:
        yield rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - begun)), interval)
