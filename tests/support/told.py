"""All that an exception can tell to whoever shows it, with the variables of every place that it came through."""

from __future__ import annotations

import traceback


def everything_told(error: BaseException) -> str:
    """Give the message, the chain, the notes, and the locals of every frame, as a tool for crash reports does."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join(told.format()) + repr(error.args) + repr(vars(error))
