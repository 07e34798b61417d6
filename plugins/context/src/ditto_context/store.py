"""The port of what keeps contexts between calls."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import attrs


@attrs.frozen(kw_only=True)
class StoredState:
    """What a store holds under a key: a text that only the worker reads, and the version that names it."""

    version: str
    state: str


@runtime_checkable
class ContextStore(Protocol):
    """Keeps one text under each key and swaps it for another only if nobody has done so before.

    Keys and states are texts that the worker makes. Both methods raise :class:`ContextError` with the code
    ``STATE_STORE_UNAVAILABLE`` when they cannot be answered; all else that they raise reaches the caller as it is.
    """

    async def get(self, key: str) -> StoredState | None:
        """Return what is held under `key`, or None when there is nothing, or nothing any more."""
        ...

    async def compare_and_set(self, key: str, expected: str | None, state: str) -> str | None:
        """Hold `state` under `key` if the version held there is `expected` (None: if nothing is held), in one step.

        Return the version of the new state, which no state has had before, or None when it was not `expected`;
        then nothing has changed.
        """
        ...
