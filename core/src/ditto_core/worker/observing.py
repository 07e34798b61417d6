"""Calls of nodes as observers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..contracts.delivery import OutputRequest
from ..contracts.inputs import ObserveInput, ToolInput
from ..events import CallObserver, observed
from ..tools.context import ToolContext
from .node import Handler, Node

if TYPE_CHECKING:
    from ..plugins.origin import Origin


def observing(
    node: Node[Any, Any], handler: Handler[Any, Any], observers: tuple[CallObserver, ...]
) -> Handler[Any, Any]:
    """Return a handler that does what `handler` does and tells the observers of it."""

    async def told(input: Any, context: ToolContext) -> Any:
        name, call_id, origin = _subject(handler, input)
        return await observed(
            observers, lambda: handler(input, context), node=node.type, name=name, call_id=call_id, origin=origin
        )

    return told


def _subject(handler: Handler[Any, Any], input: Any) -> tuple[str | None, str, Origin | None]:
    """Return what a node is to act with, the caller's id and the plugin that what it acts with comes from."""
    if isinstance(input, ToolInput):
        registry = getattr(handler, "registry", None)
        return input.call.name, input.call.id, registry.origin_of(input.call.name) if registry else None
    if isinstance(input, ObserveInput):
        return input.result.source, input.result.call_id, None
    if isinstance(input, OutputRequest):
        return None, input.delivery_id, None
    return None, "", None
