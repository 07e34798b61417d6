"""Calls of nodes as observers see them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..contracts.delivery import OutputRequest
from ..contracts.inputs import ObserveInput, ToolInput
from ..contracts.mcp import McpDiscover, McpInvoke
from ..events import CallObserver, observed
from .node import Handler, Node

if TYPE_CHECKING:
    from ..plugins.origin import Origin
    from ..tools.scope import Execution


async def observing(
    observers: tuple[CallObserver, ...],
    node: Node[Any, Any],
    handler: Handler[Any, Any],
    input: Any,
    run: Callable[[], Awaitable[Any]],
    *,
    execution: Execution | None,
) -> Any:
    """Return what `run()` gives, and tell the observers of it as the call of a node that `handler` handles."""
    name, call_id, origin = _subject(handler, input)
    return await observed(
        observers, run, node=node.type, name=name, call_id=call_id, origin=origin, execution=execution
    )


def _subject(handler: Handler[Any, Any], input: Any) -> tuple[str | None, str, Origin | None]:
    """Return what a node is to act with, the caller's id and the plugin that what it acts with comes from."""
    if isinstance(input, ToolInput):
        registry = getattr(handler, "registry", None)
        return input.call.name, input.call.id, registry.origin_of(input.call.name) if registry else None
    if isinstance(input, McpInvoke):
        return f"{input.server}:{input.call.name}", input.call.id, None
    if isinstance(input, McpDiscover):
        return input.server or None, "", None
    if isinstance(input, ObserveInput):
        return input.result.source, input.result.call_id, None
    if isinstance(input, OutputRequest):
        return None, input.delivery_id, None
    return None, "", None
