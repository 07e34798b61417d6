"""A store in this process, for tests and for applications whose contexts need not outlive it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from uuid import uuid4

import attrs

from .checks import check_whole
from .seconds import check_ttl
from .store import StoredState

MAX_SCOPES = 1_000
"""How many contexts are kept unless the store says otherwise."""
MAX_BYTES = 67_108_864
"""How large they may be together unless the store says otherwise."""
TTL = 3_600.0
"""How many seconds a context is kept after it was last written, unless the store says otherwise."""


@attrs.frozen
class _Kept:
    stored: StoredState
    size: int
    ends: float


class InProcessContextStore:
    """Keeps contexts in this process, each for `ttl` seconds after it was last written; reading does not prolong that.

    There are at most `max_scopes` of them with `max_bytes` together: beyond, those that were used least recently are
    dropped, as if they had expired. `clock` gives the time in seconds. May be used from several threads and loops.
    Raises :class:`InvalidValue`.
    """

    def __init__(
        self,
        *,
        ttl: float = TTL,
        max_scopes: int = MAX_SCOPES,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ttl = check_ttl(ttl, "InProcessContextStore.ttl")
        self._max_scopes = check_whole(max_scopes, "InProcessContextStore.max_scopes")
        self._max_bytes = check_whole(max_bytes, "InProcessContextStore.max_bytes")
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}  # the least recently used first
        self._size = 0

    async def get(self, key: str) -> StoredState | None:
        """Return what is held under `key`."""
        with self._lock:
            kept = self._used(key)
            return kept.stored if kept else None

    async def compare_and_set(self, key: str, expected: str | None, state: str) -> str | None:
        """Hold `state` under `key` if the version held there is `expected`."""
        with self._lock:
            kept = self._used(key)
            if (kept.stored.version if kept else None) != expected:
                return None
            version = uuid4().hex
            self._drop(key)
            made = _Kept(StoredState(version=version, state=state), len(state.encode()), self._clock() + self._ttl)
            self._kept[key] = made
            self._size += made.size
            while len(self._kept) > 1 and (len(self._kept) > self._max_scopes or self._size > self._max_bytes):
                self._drop(next(iter(self._kept)))
            return version

    def _used(self, key: str) -> _Kept | None:
        """Return what is kept under a key and has not expired, which makes it the most recently used."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._drop(key)
        if kept.ends <= self._clock():
            return None
        self._kept[key] = kept
        self._size += kept.size
        return kept

    def _drop(self, key: str) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._size -= kept.size
