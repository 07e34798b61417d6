"""The INTERACTION worker: tools, observation and delivery composed for one runtime."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import InvalidTool
from ..ports import OutputSink
from ..text import describe
from ..tools.registry import ToolRegistry
from ..tools.tool import Tool
from .handlers import observe_handler, output_handler, tool_handler
from .node import ACT_TOOL, INTERACTION, OBSERVE, OUTPUT, NodeDefinition
from .worker import MAX_WAITING, Worker


def interaction_nodes(
    *, tools: ToolRegistry | None = None, output: OutputSink | None = None
) -> tuple[NodeDefinition, ...]:
    """Return the INTERACTION nodes for a worker of one's own: tools and observation always, delivery with a sink.

    Takes a registry and a sink only; raises :class:`InvalidTool` or :class:`InvalidInput` for anything else.
    """
    nodes = [
        ACT_TOOL.define(INTERACTION, tool_handler(ToolRegistry() if tools is None else tools)),
        OBSERVE.define(INTERACTION, observe_handler),
    ]
    if output is not None:
        nodes.append(OUTPUT.define(INTERACTION, output_handler(output)))
    return tuple(nodes)


def interaction_worker(
    *,
    tools: Iterable[Tool[Any]] | ToolRegistry = (),
    output: OutputSink | None = None,
    concurrency: int | None = None,
    max_waiting: int = MAX_WAITING,
) -> Worker:
    """Return the standard worker: ``ACT.TOOL`` and ``OBSERVE`` always, ``OUTPUT`` only with a sink.

    A registry keeps its identity, so what is registered in it later holds for the next call; any other iterable of
    tools is registered here and now, all or none. `concurrency` bounds the calls of one registration, unlimited
    when None; at most `max_waiting` further ones wait. Grants no permission.

    Raises what :meth:`ToolRegistry.register`, :class:`Worker` and :func:`interaction_nodes` raise.
    """
    if isinstance(tools, ToolRegistry):
        registry = tools
    else:
        if isinstance(tools, str) or not isinstance(tools, Iterable):
            raise InvalidTool(
                f"interaction_worker: tools must be a registry or a list of Tool objects, not {describe(tools)}. "
                "Give host.tools, or [tool]."
            )
        registry = ToolRegistry()
        registry.register_all(tools)
    nodes = interaction_nodes(tools=registry, output=output)
    return Worker(INTERACTION, nodes, concurrency=concurrency, max_waiting=max_waiting)
