"""What broken plugins leave behind. It stays until the test ends: whoever tries the next one would look at it too."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import ExitStack
from multiprocessing import util

LEFT = ExitStack()
"""Ends all of it."""


def a_task() -> None:
    task = asyncio.ensure_future(asyncio.Event().wait())
    LEFT.callback(task.done)  # an event loop alone does not hold its tasks


def an_open_file() -> None:
    LEFT.callback(os.close, os.open(os.devnull, os.O_RDONLY))


def an_open_pipe() -> None:
    for end in os.pipe():
        LEFT.callback(os.close, end)


def a_thread() -> None:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait, daemon=True)
    thread.start()
    LEFT.callback(thread.join, 30)
    LEFT.callback(ended.set)


def a_process(*words: str) -> None:
    """Start it in a way that the interpreter reports to nobody; once it has ended it is a zombie."""
    pid = util.spawnv_passfds(words[0].encode(), [word.encode() for word in words], [])
    LEFT.callback(os.waitpid, pid, 0)
    LEFT.callback(os.kill, pid, signal.SIGKILL)
