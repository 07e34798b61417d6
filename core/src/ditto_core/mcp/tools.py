"""The tools of an MCP server as Ditto's own, so that a model sees one list and each has its own permission."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from ..contracts.checked import of_checked
from ..contracts.json_values import JsonObject
from ..contracts.mcp import McpCapability, McpDiscover, McpInvoke
from ..contracts.results import ToolCall, ToolOutcome
from ..errors import DuplicateName, InvalidInput, InvalidName
from ..plugins.wording import listed
from ..sandbox import Sandbox
from ..text import describe, guess, quote
from ..tools.tool import EFFECTS, Effect, Tool, is_tool_name
from .registry import McpRegistry

if TYPE_CHECKING:
    from ..tools.context import ToolContext


async def mcp_tools(
    registry: McpRegistry,
    sandbox: Sandbox,
    server: str,
    *,
    prefix: str = "",
    rename: Mapping[str, str] | Callable[[str], str] | None = None,
    include: Collection[str] | None = None,
    exclude: Collection[str] = (),
    effects: Collection[Effect] = EFFECTS,  # type: ignore[assignment]
    requires_approval: bool = False,
) -> tuple[Tool[JsonObject], ...]:
    """Discover one server's tools and return them as tools to be registered, each of which calls the server.

    A call needs two permissions: ``tools`` for the tool's name here, ``mcp`` for the server. Its result has the source
    ``server:tool`` with the server's own name of the tool. The server's schemas and texts are passed on; nothing is
    validated here but that arguments are a JSON object, and what they have to be is the server's business.

    - `include` (all when None) and `exclude` are names as the server has them, as are the keys of `rename`.
    - `rename` gives names here, by a mapping or a function; `prefix` comes before each of them.
    - `effects` and `requires_approval` describe all of these tools. Nothing is known of what a server's tool does, so
      they have every effect unless the application says otherwise; the server's own hints are not asked.

    Raises what a discovery raises (:meth:`McpRegistry.execute`), :class:`InvalidName` for a chosen name that the
    server does not offer and, listing all of them, for names that no tool may have; :class:`DuplicateName` for names
    that are the same here; :class:`InvalidInput` for arguments of other types.
    """
    if type(registry) is not McpRegistry:
        raise InvalidInput(f"mcp_tools: needs an McpRegistry, not {describe(registry)}. Register the clients in one.")
    if type(prefix) is not str:
        raise InvalidInput(f"mcp_tools: prefix must be a string, not {describe(prefix)}.")
    chosen = {"include": include or (), "exclude": exclude, "rename": rename if isinstance(rename, Mapping) else ()}
    for option, names in chosen.items():
        _check_names(option, names)
    discovered = await registry.execute(McpDiscover(server=server), sandbox)
    offered = {capability.name: capability for capability in discovered.capabilities}
    who = f"mcp_tools, server {quote(server)}"
    for option, names in chosen.items():
        _check_offered(who, option, names, offered)
    kept = [name for name in offered if (include is None or name in include) and name not in exclude]
    return tuple(
        _tool(registry, offered[theirs], ours, effects=effects, requires_approval=requires_approval)
        for ours, theirs in _named(who, kept, prefix, rename).items()
    )


def _check_names(option: str, names: object) -> None:
    if isinstance(names, str) or not isinstance(names, Collection):
        raise InvalidInput(f"mcp_tools: {option} must hold names of tools, such as {{'…'}}, not be {describe(names)}.")
    for name in names:
        if type(name) is not str:
            raise InvalidInput(f"mcp_tools: {option} must hold names of tools, not {describe(name)}.")


def _check_offered(who: str, option: str, names: Collection[str], offered: Collection[str]) -> None:
    unknown = [name for name in names if name not in offered]
    if unknown:
        raise InvalidName(
            f"{who}: {option} has names that the server does not offer: {listed(unknown)}. "
            f"It offers {listed(offered)}.{guess(unknown[0], offered)}"
        )


def _named(
    who: str, names: list[str], prefix: str, rename: Mapping[str, str] | Callable[[str], str] | None
) -> dict[str, str]:
    """Return for each name that a tool has here the one that it has on the server."""
    named: dict[str, str] = {}
    illegal, twice = [], []
    for theirs in names:
        ours = _renamed(theirs, rename)
        if type(ours) is not str:
            raise InvalidInput(f"{who}: rename must give a string for {quote(theirs)}, not {describe(ours)}.")
        ours = prefix + ours
        if not is_tool_name(ours):
            illegal.append(ours)
        elif ours in named:
            twice.append(ours)
        named[ours] = theirs
    if illegal:
        raise InvalidName(
            f"{who}: a tool's name is 1-64 ASCII letters, digits, '_' or '-', and these are none: {_all(illegal)}. "
            "Give them others with rename={…}, or leave them out with exclude={…}."
        )
    if twice:
        raise DuplicateName(f"{who}: more than one tool would have the name {_all(twice)}. Rename one of them.")
    return named


def _renamed(name: str, rename: Mapping[str, str] | Callable[[str], str] | None) -> object:
    if rename is None:
        return name
    return rename.get(name, name) if isinstance(rename, Mapping) else rename(name)


def _all(names: list[str]) -> str:
    """Return all of the names: each has to be given another."""
    return ", ".join(map(quote, names))


def _tool(
    registry: McpRegistry,
    capability: McpCapability,
    name: str,
    *,
    effects: Collection[Effect],
    requires_approval: bool,
) -> Tool[JsonObject]:
    async def execute(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        call = ToolCall(id=context.call_id, name=capability.name, arguments=arguments)
        invoked = await registry.execute(McpInvoke(server=capability.server, call=call), context.sandbox)
        result = invoked.result
        return of_checked(
            ToolOutcome,
            {
                "status": result.status,
                "content": result.content,
                "structured_content": result.structured_content,
                "references": result.references,
                "error": result.error,
                "metadata": result.metadata,
            },
        )

    return Tool(
        name=name,
        input_schema=capability.input_schema or {},
        validate=_as_they_are,
        execute=execute,
        description=capability.description or "",
        title=capability.title or "",
        output_schema=capability.output_schema,
        effects=effects,
        requires_approval=requires_approval,
        source=f"{capability.server}:{capability.name}",
    )


def _as_they_are(arguments: JsonObject) -> JsonObject:
    return arguments
