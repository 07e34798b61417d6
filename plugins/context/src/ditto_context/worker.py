"""The CONTEXT worker: its two nodes, and how they are put together."""

from __future__ import annotations

from typing import TypeVar, cast

import attrs

from ditto_core import (
    UNSET,
    InvalidInput,
    InvalidValue,
    JsonObject,
    Message,
    Node,
    Reference,
    ReferencePart,
    ToolContext,
    Worker,
    describe,
    from_wire,
    to_wire,
)

from .contracts import Context, ContextItem, ContextScope
from .held import Held, conflict
from .inputs import ContextLoad, ContextUpdate
from .json_text import snapshot, source_id
from .policy import ContextPolicy
from .store import ContextStore

In = TypeVar("In", ContextLoad, ContextUpdate)

CONTEXT = "CONTEXT"
MAX_WAITING = 1_024
"""How many calls may wait for a slot of one registration unless the worker says otherwise."""

CONTEXT_LOAD: Node[ContextLoad, Context] = Node("CONTEXT.LOAD", ContextLoad, Context)
"""Make a context of sources, read the one that is kept under a scope, or both: keep a new one there."""
CONTEXT_UPDATE: Node[ContextUpdate, Context] = Node("CONTEXT.UPDATE", ContextUpdate, Context)
"""Remove and add items, in a context that is passed along or in the one that is kept under a scope."""


def context_worker(
    *,
    store: ContextStore | None = None,
    policy: ContextPolicy | None = None,
    concurrency: int | None = None,
    max_waiting: int = MAX_WAITING,
) -> Worker:
    """Return the worker with ``CONTEXT.LOAD`` and ``CONTEXT.UPDATE``.

    Without a `store` it works on contexts that are passed along only. `policy` bounds each context; `concurrency` and
    `max_waiting` bound its calls, as those of every :class:`ditto_core.Worker`.

    Raises :class:`ditto_core.InvalidValue`.
    """
    if store is not None and not isinstance(store, ContextStore):
        raise InvalidValue("store", f"must have get and compare_and_set, which {describe(store)} has not")
    if policy is not None and type(policy) is not ContextPolicy:
        raise InvalidValue("policy", f"must be a ContextPolicy, not {describe(policy)}")
    handlers = Handlers(store=store, policy=policy or ContextPolicy())
    nodes = [CONTEXT_LOAD.define(CONTEXT, handlers.load), CONTEXT_UPDATE.define(CONTEXT, handlers.update)]
    return Worker(CONTEXT, nodes, concurrency=concurrency, max_waiting=max_waiting)


@attrs.frozen(kw_only=True)
class Handlers:
    """What runs the nodes, on one store and under one policy."""

    store: ContextStore | None
    policy: ContextPolicy

    async def load(self, input: ContextLoad, context: ToolContext) -> Context:
        """Return the context that was asked for; raises :class:`InvalidInput` and :class:`ContextError`."""
        input = _entered(CONTEXT_LOAD, input)
        made = None if input.sources is UNSET else self.policy.changed((), (), map(_item, input.sources))
        if input.scope is UNSET:
            return Context(items=snapshot(made or ()))
        held = Held(self.store, input.scope)
        if made is None:
            return await held.read()
        expected = await held.version() if input.expected_version is UNSET else input.expected_version
        return await held.swap(expected, made)

    async def update(self, input: ContextUpdate, context: ToolContext) -> Context:
        """Return the changed context; raises :class:`InvalidInput` and :class:`ContextError`."""
        input = _entered(CONTEXT_UPDATE, input)
        added = (*input.add, *(one.item() for one in input.ingress))
        if input.context is not UNSET:
            return Context(items=snapshot(self.policy.changed(input.context.items, input.remove_ids, added)))
        held = Held(self.store, cast("ContextScope", input.scope))  # one of the two is there
        before = await held.read()
        if input.expected_version is not UNSET and input.expected_version != before.version:
            raise conflict()
        return await held.swap(before.version or None, self.policy.changed(before.items, input.remove_ids, added))


def _entered(node: Node[In, Context], input: In) -> In:
    """Return the input looked through and through: an object that Python code has made may hold what is no JSON."""
    try:
        return from_wire(node.input, to_wire(input))
    except InvalidValue as error:
        raise InvalidInput(f"Node {node.type!r}: {error}.") from None


def _item(source: Message | Reference | ContextItem) -> ContextItem:
    """Return the item that a source is or becomes; the same message or reference always has the same id."""
    if type(source) is Message:
        metadata: JsonObject = {"sourceType": "message", "role": source.role}
        if source.name is not UNSET:
            metadata["name"] = source.name
        return ContextItem(id=source_id(source), content=source.content, metadata=metadata)
    if type(source) is Reference:
        return ContextItem(
            id=source_id(source),
            content=(ReferencePart(reference=source),),
            source=source,
            metadata={"sourceType": "reference"},
        )
    return cast("ContextItem", source)
