"""The INTERACTION worker: tools, observation and delivery composed for one runtime."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InvalidClient, InvalidTool
from ..mcp.registry import McpRegistry
from ..ports import McpClient, OutputSink
from ..text import describe
from ..tools.registry import ToolRegistry
from ..tools.tool import Tool
from .handlers import mcp_handler, observe_handler, output_handler, tool_handler
from .node import ACT_MCP, ACT_TOOL, INTERACTION, OBSERVE, OUTPUT, NodeDefinition
from .worker import MAX_WAITING, Worker


def interaction_nodes(
    *, tools: ToolRegistry | None = None, mcp: McpRegistry | None = None, output: OutputSink | None = None
) -> tuple[NodeDefinition, ...]:
    """Return the INTERACTION nodes for a worker of one's own: tools and observation always, MCP and delivery if given.

    Takes registries and a sink only; raises :class:`InvalidTool`, :class:`InvalidClient` or :class:`InvalidInput` for
    anything else.
    """
    nodes = [
        ACT_TOOL.define(INTERACTION, tool_handler(ToolRegistry() if tools is None else tools)),
        OBSERVE.define(INTERACTION, observe_handler),
    ]
    if mcp is not None:
        nodes.append(ACT_MCP.define(INTERACTION, mcp_handler(mcp)))
    if output is not None:
        nodes.append(OUTPUT.define(INTERACTION, output_handler(output)))
    return tuple(nodes)


def interaction_worker(
    *,
    tools: Iterable[Tool[Any]] | ToolRegistry = (),
    mcp: Mapping[str, McpClient] | McpRegistry | None = None,
    output: OutputSink | None = None,
    concurrency: int | None = None,
    max_waiting: int = MAX_WAITING,
) -> Worker:
    """Return the standard worker: ``ACT.TOOL`` and ``OBSERVE`` always, ``ACT.MCP`` and ``OUTPUT`` only if given.

    A registry keeps its identity, so what is registered in it later holds for the next call; any other iterable of
    tools, and a mapping of connected clients by the names of their servers, is registered here and now, all or none.
    `concurrency` bounds the calls of one registration, unlimited when None; at most `max_waiting` further ones wait.
    Grants no permission.

    Raises what :meth:`ToolRegistry.register`, :meth:`McpRegistry.register`, :class:`Worker` and
    :func:`interaction_nodes` raise.
    """
    nodes = interaction_nodes(tools=_tools(tools), mcp=_clients(mcp), output=output)
    return Worker(INTERACTION, nodes, concurrency=concurrency, max_waiting=max_waiting)


def _tools(tools: Iterable[Tool[Any]] | ToolRegistry) -> ToolRegistry:
    if isinstance(tools, ToolRegistry):
        return tools
    if isinstance(tools, str) or not isinstance(tools, Iterable):
        raise InvalidTool(
            f"interaction_worker: tools must be a registry or a list of Tool objects, not {describe(tools)}. "
            "Give host.tools, or [tool]."
        )
    registry = ToolRegistry()
    registry.register_all(tools)
    return registry


def _clients(mcp: Mapping[str, McpClient] | McpRegistry | None) -> McpRegistry | None:
    if mcp is None or isinstance(mcp, McpRegistry):
        return mcp
    if not isinstance(mcp, Mapping):
        raise InvalidClient(
            f"interaction_worker: mcp must be a registry or a mapping of clients by name, not {describe(mcp)}. "
            "Give {'server': client}."
        )
    registry = McpRegistry()
    for server, client in mcp.items():
        registry.register(server, client)
    return registry
