"""How much one discovery may fetch."""

from __future__ import annotations

import attrs

from ..durations import is_seconds
from ..errors import InvalidValue
from ..text import describe

MAX_PAGES = 100
"""How many pages one discovery may ask for, over all of its servers, unless the registry says otherwise."""
MAX_CAPABILITIES = 1000
"""How many tools one discovery may find, over all of its servers, unless the registry says otherwise."""


@attrs.frozen(kw_only=True, eq=False)
class DiscoveryLimits:
    """What the servers of one discovery may use together; raises :class:`InvalidValue` for what is no such number."""

    pages: int
    capabilities: int
    size: int | None
    seconds: float | None

    def __attrs_post_init__(self) -> None:
        _check_count(self.pages, "max_discovery_pages")
        _check_count(self.capabilities, "max_capabilities")
        if self.size is not None:
            _check_count(self.size, "max_discovery_bytes")
        if self.seconds is not None and (not is_seconds(self.seconds) or not self.seconds):
            raise InvalidValue(
                "McpRegistry.discovery_timeout", "must be a positive, finite number of seconds, or None"
            )


def _check_count(value: object, field: str) -> None:
    if type(value) is not int or value < 1:
        said = "less than 1" if type(value) is int else describe(value)
        raise InvalidValue(f"McpRegistry.{field}", f"must be a positive integer, not {said}")
