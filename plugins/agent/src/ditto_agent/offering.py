"""What a model is offered: tools of the runtime and of MCP servers, as actions in one list."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ditto_core import ACT_MCP, InvalidName, McpDiscover, McpDiscovered, Runtime, quote
from ditto_infer import Action, McpTarget, ToolTarget


def tool_actions(runtime: Runtime, *, include: Collection[str] | None = None) -> tuple[Action, ...]:
    """Return the registered tools that the sandbox permits as actions, or those among them that `include` names.

    Raises :class:`~ditto_core.InvalidName` for a name that no such tool has.
    """
    found = {
        definition.name: Action(
            name=definition.name,
            description=definition.description or definition.title,
            input_schema=definition.input_schema,
            target=ToolTarget(),
        )
        for definition in runtime.tools()
    }
    return _chosen("tool_actions", found, include)


async def mcp_actions(
    runtime: Runtime,
    server: str,
    *,
    include: Collection[str] | None = None,
    prefix: str = "",
    rename: Mapping[str, str] | None = None,
) -> tuple[Action, ...]:
    """Discover one server's tools and return them as actions, or those that `include` names as the server has them.

    `rename` gives names that a model may see, by the server's own, and `prefix` comes before each. Ask again when the
    server's list has changed. Raises what a discovery raises, :class:`~ditto_core.InvalidName` for a name in `include`
    that the server does not have, and :class:`~ditto_core.InvalidValue` for one that no action may have.
    """
    output = await runtime.invoke(ACT_MCP, McpDiscover(server=server))
    capabilities = output.capabilities if isinstance(output, McpDiscovered) else ()
    names = {
        capability.name: prefix + (rename or {}).get(capability.name, capability.name) for capability in capabilities
    }
    chosen = [one for one in capabilities if include is None or one.name in include]
    _check(f"mcp_actions, server {quote(server)}", names, include)
    return tuple(
        Action(
            name=names[capability.name],
            description=capability.description or capability.title or "",
            input_schema=capability.input_schema or {},
            target=McpTarget(server=server, tool_name=capability.name),
        )
        for capability in chosen
    )


def _chosen(who: str, found: Mapping[str, Action], include: Collection[str] | None) -> tuple[Action, ...]:
    _check(who, found, include)
    return tuple(action for name, action in found.items() if include is None or name in include)


def _check(who: str, found: Collection[str], include: Collection[str] | None) -> None:
    if isinstance(include, str):
        raise InvalidName(f"{who}: include must hold names, such as {{{quote(include)}}}, not be a string.")
    for name in include or ():
        if name not in found:
            raise InvalidName(f"{who}: there is no tool {quote(name)} that may be offered. There is {sorted(found)}.")
