"""Where the broken packs are registered."""

from __future__ import annotations

from collections.abc import Callable

from ditto_testkit import ToolPack

BROKEN: dict[str, Callable[[], ToolPack]] = {}
"""By the id of the check that has to fail, and what it is that is broken."""


def breaks(id: str) -> Callable[[Callable[[], ToolPack]], Callable[[], ToolPack]]:
    """Register the pack that the function makes."""

    def register(function: Callable[[], ToolPack]) -> Callable[[], ToolPack]:
        BROKEN[f"{id} {function.__name__}"] = function
        return function

    return register
