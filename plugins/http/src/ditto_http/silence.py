"""Nothing of an exchange goes into the log, where httpcore would show whole headers, and so the key."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_EXCHANGES: Final[ContextVar[bool]] = ContextVar("ditto_http_exchanges", default=False)


@contextmanager
def silence() -> Iterator[None]:
    """Keep what httpcore says about the requests made inside out of the log.

    What it says about the requests of others is not touched.
    """
    token = _EXCHANGES.set(True)
    try:
        yield
    finally:
        _EXCHANGES.reset(token)


def _is_of_others(record: logging.LogRecord) -> bool:
    return not _EXCHANGES.get()


for _name in ("httpcore.connection", "httpcore.http11"):
    logging.getLogger(_name).addFilter(_is_of_others)
