"""An adapter for a side-by-side runner of peers: what else one could call a tool with, measured the same way.

Such a runner takes modules of this shape: what the peer is called, whose versions are reported, the least that a user
imports, the path that is timed, ``open`` to get from a name and a dict of arguments to a result, and ``plain`` from
that result to its value. It runs each in a process of its own and gives all of them the same functions as tools.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from types import FunctionType
from typing import Any, ClassVar, TypeAlias

import attrs
from peers import ToolFailed  # the runner's own: the peer has made a result of a failure

from ditto_core import (
    ExternalResult,
    JsonObject,
    PluginHost,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    hookimpl,
    tool,
)

NAME = "ditto"
DISTS = ["ditto-core", "attrs", "cattrs", "pluggy", "structlog"]
IMPORTS = "from ditto_core import PluginHost, Sandbox, Tool, ToolCall, ToolContext, hookimpl, tool"
PATH = "host.tools.call(ToolCall(id, name, arguments), context): permission, arguments into an attrs class, all checks"

Function: TypeAlias = Callable[..., Awaitable[Any]]


@attrs.frozen(eq=False)
class Pack:
    """A plugin with the runner's functions as tools."""

    api_version: ClassVar[int] = 1
    functions: Mapping[str, Function]

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Make a tool of each."""
        return [tool(name=name)(_saying_what_it_returns(function)) for name, function in self.functions.items()]


async def open(
    stack: AsyncExitStack, tools: Mapping[str, Function]
) -> Callable[[str, JsonObject], Awaitable[ExternalResult]]:
    """Register the functions and return what calls one of them; there is nothing to close."""
    host = PluginHost()
    host.register(Pack(tools))
    context = ToolContext(sandbox=Sandbox(tools=list(tools)))

    def call(name: str, arguments: JsonObject) -> Awaitable[ExternalResult]:
        return host.tools.call(ToolCall(id="call-1", name=name, arguments=arguments), context)

    return call


def plain(result: ExternalResult) -> Any:
    """Return the value of a result."""
    if result.status != "success":
        raise ToolFailed(result.status)
    return result.structured_content


def _saying_what_it_returns(function: Any) -> Function:
    """Return the same function with a JSON object as what it returns, where the runner says any dict."""
    same = FunctionType(function.__code__, function.__globals__, function.__name__)
    same.__doc__ = function.__doc__
    same.__annotations__ = {**function.__annotations__, "return": JsonObject}
    return same
