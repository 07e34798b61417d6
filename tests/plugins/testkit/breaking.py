"""Where the broken packs are registered."""

from __future__ import annotations

from collections.abc import Callable

from ditto_testkit import ToolPack

BROKEN: dict[str, Callable[[], ToolPack]] = {}
"""By the id of the check that has to fail, and what it is that is broken."""
VARIANTS: dict[str, Callable[[], ToolPack]] = {}
"""Further ways to break a check of which there is a pack in :data:`BROKEN`; they are tried on that check alone."""


def breaks(id: str, *, alone: bool = False) -> Callable[[Callable[[], ToolPack]], Callable[[], ToolPack]]:
    """Register the pack that the function makes; `alone` for one that is tried on its check and no other."""

    def register(function: Callable[[], ToolPack]) -> Callable[[], ToolPack]:
        (VARIANTS if alone else BROKEN)[f"{id} {function.__name__}"] = function
        return function

    return register
