"""The handlers of the INTERACTION nodes. Each works alone and makes every check of the standard worker."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

import attrs

from ..callables import is_async
from ..contracts.content import Message, enter_content
from ..contracts.delivery import OutputReceipt, OutputRequest
from ..contracts.inputs import ObserveInput, ToolInput
from ..contracts.json_values import check_json
from ..contracts.mcp import McpInput, McpOutput
from ..contracts.results import ExternalResult, Observation
from ..contracts.unset import UNSET
from ..errors import InvalidClient, InvalidInput, InvalidReceipt, InvalidTool, InvalidValue
from ..mcp.registry import McpRegistry
from ..observe import observe
from ..ports import OutputSink
from ..text import describe, quote
from ..tools.context import ToolContext
from ..tools.registry import ToolRegistry
from .node import Handler

In = TypeVar("In")
Out = TypeVar("Out")


@attrs.frozen
class ToolHandler:
    """Handles ``INTERACTION.ACT.TOOL`` with one registry, which the runtime may list."""

    registry: ToolRegistry

    def __call__(self, input: ToolInput, context: ToolContext) -> Coroutine[Any, Any, ExternalResult]:
        """Return what runs one tool once."""
        return self.registry.call(input.call, context)


def tool_handler(tools: ToolRegistry) -> ToolHandler:
    """Return the handler of ``INTERACTION.ACT.TOOL`` for a registry; raises :class:`InvalidTool` for anything else."""
    if type(tools) is not ToolRegistry:
        raise InvalidTool(f"tool_handler: needs a ToolRegistry, not {describe(tools)}. Register the tools in one.")
    return ToolHandler(tools)


@attrs.frozen
class McpHandler:
    """Handles ``INTERACTION.ACT.MCP`` with one registry."""

    registry: McpRegistry

    def __call__(self, input: McpInput, context: ToolContext) -> Coroutine[Any, Any, McpOutput]:
        """Return what discovers tools or calls one once."""
        return self.registry.execute(input, context.sandbox)


def mcp_handler(mcp: McpRegistry) -> McpHandler:
    """Return the handler of ``INTERACTION.ACT.MCP`` for a registry; raises :class:`InvalidClient` for all else."""
    if type(mcp) is not McpRegistry:
        raise InvalidClient(f"mcp_handler: needs an McpRegistry, not {describe(mcp)}. Register the clients in one.")
    return McpHandler(mcp)


class PureHandler(Generic[In, Out]):
    """Handles a node with a plain function of the input alone, which waits for nothing and calls nothing further."""

    def __init__(self, function: Callable[[In], Out]) -> None:
        self.function = function

    async def __call__(self, input: In, context: ToolContext) -> Out:
        """Return what the function makes of the input."""
        return self.function(input)


def _observed(input: ObserveInput) -> Observation:
    try:
        return observe(input)
    except InvalidValue as error:
        raise InvalidInput(f"INTERACTION.OBSERVE (call {quote(input.result.call_id)}): {error}.") from None


observe_handler = PureHandler(_observed)
"""Handles ``INTERACTION.OBSERVE``, see :func:`observe`."""


def output_handler(sink: OutputSink) -> Handler[OutputRequest, OutputReceipt]:
    """Return the handler of ``INTERACTION.OUTPUT`` for one sink.

    Each request is checked through and through, delivered exactly once, and its receipt is checked. The handler
    raises :class:`InvalidInput` before the sink is asked and :class:`InvalidReceipt` afterwards (the delivery may
    then have happened); what the sink raises passes unchanged.
    """
    if isinstance(sink, type) or not is_async(getattr(sink, "deliver", None)):
        raise InvalidInput(
            f"Output of a worker: needs an OutputSink with an async deliver(), not {describe(sink)}. "
            "Give it host.sink('name'), or a sink itself."
        )

    async def deliver(request: OutputRequest, context: ToolContext) -> OutputReceipt:
        request = _entered(request)
        try:
            receipt = await sink.deliver(request)
        except InvalidValue as error:
            raise _invalid_receipt(sink, request, str(error)) from error
        _check_receipt(sink, request, receipt)
        return receipt

    return deliver


def _entered(request: OutputRequest) -> OutputRequest:
    """Return the request with its content in normal form."""
    message = request.message
    try:
        content = enter_content(message.content, "message.content")
    except InvalidValue as error:
        raise InvalidInput(f"INTERACTION.OUTPUT (delivery {quote(request.delivery_id)}): {error}.") from None
    if content is message.content:
        return request
    return attrs.evolve(request, message=Message(role=message.role, content=content, name=message.name))


def _check_receipt(sink: OutputSink, request: OutputRequest, receipt: object) -> None:
    if type(receipt) is not OutputReceipt:
        raise _invalid_receipt(sink, request, f"deliver must return an OutputReceipt, not {describe(receipt)}")
    if receipt.delivery_id != request.delivery_id:
        raise _invalid_receipt(sink, request, f"it is for the delivery {quote(receipt.delivery_id)}")
    if receipt.metadata is not UNSET:
        try:
            check_json(receipt.metadata, "metadata")
        except InvalidValue as error:
            raise _invalid_receipt(sink, request, str(error)) from None


def _invalid_receipt(sink: OutputSink, request: OutputRequest, problem: str) -> InvalidReceipt:
    return InvalidReceipt(
        f"Sink {describe(sink)} (delivery {quote(request.delivery_id)}): the receipt is invalid: {problem}. "
        "The delivery may have happened; check before a retry."
    )
