"""Contexts as JSON text: how they are kept, measured and named."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import attrs

from ditto_core import InvalidValue, Message, Reference, from_wire, parse_json, to_wire

from .contracts import ContextItem, ContextScope
from .errors import ContextError

MAX_STATE_BYTES = 16_777_216
"""How large a context that is kept may be, as JSON in UTF-8."""
MAX_DEPTH = 144
"""How many lists and objects such a text may have inside each other, those around an item's content included."""


@attrs.frozen(kw_only=True, unsafe_hash=False)
class State:
    """A context as it is kept: with its scope, so that one which got under another key is known for what it is."""

    __hash__ = None  # type: ignore[assignment]

    scope: ContextScope
    items: tuple[ContextItem, ...]


def state_text(scope: ContextScope, items: tuple[ContextItem, ...]) -> str:
    """Return what is kept under a scope; raises :class:`ContextError` when that is too large."""
    text = _written(to_wire(State(scope=scope, items=items)))
    size = len(text.encode())
    if size > MAX_STATE_BYTES:
        raise ContextError(
            "INLINE_LIMIT_EXCEEDED",
            f"Context: it would have {size:,} bytes as JSON, and may have {MAX_STATE_BYTES:,}. Remove items.",
        )
    return text


def state_items(scope: ContextScope, text: str) -> tuple[ContextItem, ...]:
    """Return the items that are kept in a text; raises :class:`ContextError` for what no worker has kept there."""
    try:
        state = from_wire(State, parse_json(text, max_characters=MAX_STATE_BYTES, max_depth=MAX_DEPTH))
    except InvalidValue as error:
        raise ContextError(
            "INVALID_STATE", "Context: what the store holds under this scope is no context. Delete it, and LOAD again."
        ) from error
    if state.scope != scope:
        raise ContextError(
            "INVALID_STATE", "Context: the store holds the context of another scope under this one. Delete it."
        )
    return state.items


def snapshot(items: tuple[ContextItem, ...]) -> tuple[ContextItem, ...]:
    """Return items that share nothing with the given ones."""
    scope = ContextScope(session_id="-")
    return from_wire(State, json.loads(_written(to_wire(State(scope=scope, items=items))))).items


def scope_key(scope: ContextScope) -> str:
    """Return the name under which a store keeps the context of a scope: ``scope:`` and a digest."""
    wire: Any = to_wire(scope)
    return f"scope:{_digest([wire.get(part) for part in ('sessionId', 'turnId', 'invocationId')])}"


def source_id(source: Message | Reference) -> str:
    """Return the id of the item that a message or a reference becomes: the same for the same one."""
    return f"{type(source).__name__.lower()}:{_digest(to_wire(source))}"


def size_of(item: ContextItem) -> int:
    """Return how many bytes the content of an item has as JSON."""
    wire: Any = to_wire(item)
    return len(_written(wire["content"]).encode())


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
