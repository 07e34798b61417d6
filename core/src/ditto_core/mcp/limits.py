"""How much one discovery may fetch."""

from __future__ import annotations

from ..durations import is_seconds
from ..errors import InvalidValue
from ..text import describe

MAX_PAGES = 100
"""How many pages one discovery may ask for, over all of its servers, unless the registry says otherwise."""
MAX_CAPABILITIES = 1000
"""How many tools one discovery may find, over all of its servers, unless the registry says otherwise."""


class DiscoveryLimits:
    """What the servers of one discovery may use together; raises :class:`InvalidValue` for what is no such number."""

    def __init__(self, *, pages: int, capabilities: int, size: int | None, seconds: float | None) -> None:
        self.pages = _count(pages, "max_discovery_pages")
        self.capabilities = _count(capabilities, "max_capabilities")
        self.size = None if size is None else _count(size, "max_discovery_bytes")
        if seconds is not None and (not is_seconds(seconds) or not seconds):
            raise InvalidValue("McpRegistry.discovery_timeout", "must be a positive, finite number of seconds or None")
        self.seconds = seconds


def _count(value: int, field: str) -> int:
    if type(value) is not int or value < 1:
        said = "less than 1" if type(value) is int else describe(value)
        raise InvalidValue(f"McpRegistry.{field}", f"must be a positive integer, not {said}")
    return value
