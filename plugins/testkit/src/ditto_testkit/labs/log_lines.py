"""What is logged meanwhile."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import attrs


@attrs.frozen(kw_only=True)
class LogLine:
    """A line of a log: its level, the first part of its logger's name, and its text with the traceback."""

    level: int
    family: str
    text: str


@contextmanager
def log_lines() -> Iterator[list[LogLine]]:
    """Keep every line that is logged while the block runs, whatever its level.

    The application's handlers, those of a test runner too, are not shown them: a check makes hundreds.
    """
    lines: list[LogLine] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = record.getMessage()
            if record.exc_info:
                text += "".join(traceback.format_exception(*record.exc_info))
            lines.append(LogLine(level=record.levelno, family=record.name.partition(".")[0], text=text))

    root = logging.getLogger()
    level, handlers = root.level, root.handlers
    root.handlers = [Keeping()]
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.handlers = handlers
