"""The context that is kept under one scope."""

from __future__ import annotations

from ditto_core import InvalidResult, Unset, describe, quote

from .contracts import Context, ContextItem, ContextScope
from .errors import ContextError
from .json_text import scope_key, state_items, state_text
from .store import ContextStore, StoredState


class Held:
    """Reads and swaps the context of a scope; raises :class:`ContextError` when there is no store for it."""

    def __init__(self, store: ContextStore | None, scope: ContextScope) -> None:
        if store is None:
            raise ContextError(
                "STATE_STORE_UNAVAILABLE",
                "Context: this worker keeps nothing. Give it a store, or pass the context along.",
            )
        self._store = store
        self._scope = scope
        self._key = scope_key(scope)

    async def read(self) -> Context:
        """Return the context with its version."""
        stored = await self._stored()
        if stored is None:
            raise ContextError(
                "CONTEXT_NOT_FOUND",
                f"Context: nothing is kept under {_shown(self._scope)}, or no longer. LOAD it with sources first.",
            )
        return Context(items=state_items(self._scope, stored.state), version=stored.version)

    async def version(self) -> str | None:
        """Return the version that is kept now, or None when there is nothing."""
        stored = await self._stored()
        return stored.version if stored else None

    async def swap(self, expected: str | None, items: tuple[ContextItem, ...]) -> Context:
        """Keep these items if the version kept now is still the expected one, and return them with their version."""
        state = state_text(self._scope, items)
        version = await self._store.compare_and_set(self._key, expected, state)
        if version is None:
            raise conflict()
        if type(version) is not str or not version:
            raise _invalid(f"compare_and_set gave {describe(version)} as a version")
        return Context(items=state_items(self._scope, state), version=version)

    async def _stored(self) -> StoredState | None:
        stored = await self._store.get(self._key)
        if stored is not None and type(stored) is not StoredState:
            raise _invalid(f"get gave {describe(stored)}")
        return stored


def conflict() -> ContextError:
    """Return the error for a context that is not the expected one any more."""
    return ContextError(
        "STATE_CONFLICT",
        "Context: it was changed meanwhile, and nothing was written. LOAD it, and make the change anew.",
    )


def _shown(scope: ContextScope) -> str:
    parts = {"session": scope.session_id, "turn": scope.turn_id, "invocation": scope.invocation_id}
    return "the scope " + ", ".join(
        f"{name} {quote(part)}" for name, part in parts.items() if not isinstance(part, Unset)
    )


def _invalid(fact: str) -> InvalidResult:
    return InvalidResult(f"Context store: {fact}. Return what the port says: a StoredState, a version, or None.")
