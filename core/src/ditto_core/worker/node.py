"""Nodes: the names under which actions are called, with the classes that go in and come out."""

from __future__ import annotations

import builtins
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeAlias, TypeVar, cast

import attrs

from ..contracts.delivery import OutputReceipt, OutputRequest
from ..contracts.inputs import ObserveInput, ToolInput
from ..contracts.mcp import McpInput, McpOutput
from ..contracts.results import ExternalResult, Observation
from ..errors import InvalidName, InvalidTool
from ..text import describe, quote
from ..tools.context import ToolContext

In = TypeVar("In")
Out = TypeVar("Out", covariant=True)  # noqa: PLC0105 - a node that gives more also gives less

Handler: TypeAlias = Callable[[In, ToolContext], Awaitable[Out]]
"""What runs a node: an async function of the input and the context; it owns the node's whole contract."""


@attrs.frozen
class Node(Generic[In, Out]):
    """A typed name: calling it takes an `input` of one class and gives an `output` of another.

    A name has at least two parts with a dot between, such as ``"INTERACTION.OBSERVE"``; raises
    :class:`InvalidName`. A node registers and runs nothing.
    """

    type: str
    input: builtins.type[In]
    output: builtins.type[Out]

    def __attrs_post_init__(self) -> None:
        head, dot, tail = self.type.partition(".") if type(self.type) is str else ("", "", "")
        if not (head and dot and tail) or not self.type.isprintable():
            raise InvalidName(
                f"Node {quote(self.type)}: a node's name has two parts with a dot between, as 'ACME.RUN'."
            )

    def define(self, worker_type: str, handler: Handler[In, Out]) -> NodeDefinition:
        """Return the definition that says: a worker of that type runs this node with `handler`."""
        return NodeDefinition(node=self, worker_type=worker_type, handler=handler)


@attrs.frozen(kw_only=True)
class NodeDefinition:
    """A node with the handler that a worker of one type runs it with; made by :meth:`Node.define`."""

    node: Node[Any, Any]
    worker_type: str
    handler: Handler[Any, Any]

    def __attrs_post_init__(self) -> None:
        if not callable(self.handler):
            raise InvalidTool(
                f"Node {self.node.type!r}: the handler must be an async function, not {describe(self.handler)}."
            )


INTERACTION = "INTERACTION"
"""The type of the worker that acts, observes and delivers."""

ACT_TOOL: Node[ToolInput, ExternalResult] = Node("INTERACTION.ACT.TOOL", ToolInput, ExternalResult)
"""Run one registered tool once."""
ACT_MCP: Node[McpInput, McpOutput] = Node("INTERACTION.ACT.MCP", cast("Any", McpInput), cast("Any", McpOutput))
"""Discover the tools of MCP servers, or call one of them once."""
OBSERVE: Node[ObserveInput, Observation] = Node("INTERACTION.OBSERVE", ObserveInput, Observation)
"""Turn a result into an observation."""
OUTPUT: Node[OutputRequest, OutputReceipt] = Node("INTERACTION.OUTPUT", OutputRequest, OutputReceipt)
"""Deliver a message to a sink."""
