"""What is left to do for a broken standard output when the interpreter ends."""

from __future__ import annotations

import atexit
import os
import sys
from typing import Any


def forget_at_exit(stream: Any) -> None:
    """See to it that the end of the process does not fail once more for a reader that is gone, if it is our stdout.

    The interpreter flushes standard output when it ends. What the application printed before the reader went away
    is still in there; its loss has been told by a receipt, and a traceback at the end would tell nobody more. Until
    then standard output stays as it is, so that a ``print`` fails as it would without a sink.
    """
    if stream is sys.stdout or stream is sys.__stdout__:
        atexit.unregister(_forget)  # once is enough
        atexit.register(_forget, stream)


def _forget(stream: Any) -> None:
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, stream.fileno())
        finally:
            os.close(null)
    except (OSError, ValueError):
        return  # it was closed, or was no file to begin with
