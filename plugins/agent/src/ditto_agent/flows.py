"""One call on its way into a context: act, observe, enter. Needs the extra ``ditto-agent[context]``.

The context is passed along and none is kept: what goes in stays as it is, what comes out is another.
"""

from __future__ import annotations

import attrs

from ditto_context import CONTEXT_UPDATE, Context, ContextUpdate, ingress_of
from ditto_core import (
    ACT_MCP,
    ACT_TOOL,
    OBSERVE,
    UNSET,
    ExternalResult,
    Graph,
    InvalidResult,
    McpInput,
    McpInvoke,
    McpInvoked,
    McpOutput,
    Observation,
    ObserveInput,
    ToolCall,
    ToolInput,
    Unset,
    quote,
)

from .runner import GraphRunner

__all__ = ["McpFlow", "ToolCallFlow", "run_mcp_flow", "run_tool_call_flow"]


@attrs.frozen(kw_only=True)
class ToolCallFlow:
    """What became of a call: the result, what was observed, and the context with it."""

    __hash__ = None  # type: ignore[assignment]

    output: ExternalResult
    observation: Observation
    context: Context


@attrs.frozen(kw_only=True)
class McpFlow:
    """What an MCP server gave. A discovery is observed by nobody, and its context is the one that went in."""

    __hash__ = None  # type: ignore[assignment]

    output: McpOutput
    observation: Observation | Unset = UNSET
    context: Context


@attrs.frozen(kw_only=True, eq=False)
class _ToolCallInput:
    context: Context
    call: ToolCall


@attrs.frozen(kw_only=True, eq=False)
class _McpCallInput:
    context: Context
    invoke: McpInvoke


TOOL_CALL = Graph("tool-call", _ToolCallInput)
MCP_CALL = Graph("mcp-call", _McpCallInput)


@TOOL_CALL.node(ACT_TOOL)
def _tool(input: _ToolCallInput) -> ToolInput:
    return ToolInput(call=input.call)


@TOOL_CALL.node(OBSERVE, _tool)
def _tool_observed(input: _ToolCallInput, result: ExternalResult) -> ObserveInput:
    return ObserveInput(result=_of_call(result, input.call))


@TOOL_CALL.node(CONTEXT_UPDATE, _tool_observed)
def _tool_entered(input: _ToolCallInput, observation: Observation) -> ContextUpdate:
    return ContextUpdate(context=input.context, ingress=(ingress_of(observation),))


@MCP_CALL.node(ACT_MCP)
def _asked(input: _McpCallInput) -> McpInput:
    return input.invoke


@MCP_CALL.node(OBSERVE, _asked)
def _asked_observed(input: _McpCallInput, output: McpOutput) -> ObserveInput:
    if not isinstance(output, McpInvoked):
        raise InvalidResult("run_mcp_flow: a call was answered with a discovery. Its effect may have happened.")
    return ObserveInput(result=_of_call(output.result, input.invoke.call))


@MCP_CALL.node(CONTEXT_UPDATE, _asked_observed)
def _asked_entered(input: _McpCallInput, observation: Observation) -> ContextUpdate:
    return ContextUpdate(context=input.context, ingress=(ingress_of(observation),))


async def run_tool_call_flow(runner: GraphRunner, context: Context, call: ToolCall) -> ToolCallFlow:
    """Run one tool once, observe its result, and return both with a context that has the observation.

    What failed is entered too, with its status. Raises what the three nodes raise, and nothing is entered then;
    :class:`~ditto_core.InvalidResult` for the result of another call.
    """
    outputs = await runner.run(TOOL_CALL, _ToolCallInput(context=context, call=call))
    return ToolCallFlow(output=outputs[_tool], observation=outputs[_tool_observed], context=outputs[_tool_entered])


async def run_mcp_flow(runner: GraphRunner, context: Context, input: McpInput) -> McpFlow:
    """Ask MCP servers what they have, or call one tool of one as :func:`run_tool_call_flow` does.

    A discovery enters nothing: its result has the context that went in, and no observation.
    """
    if isinstance(input, McpInvoke):
        outputs = await runner.run(MCP_CALL, _McpCallInput(context=context, invoke=input))
        return McpFlow(output=outputs[_asked], observation=outputs[_asked_observed], context=outputs[_asked_entered])
    discovery = Graph("mcp-discovery", type(input))
    found = discovery.add("discover", ACT_MCP, lambda given: given)
    return McpFlow(output=(await runner.run(discovery, input))[found], context=context)


def _of_call(result: ExternalResult, call: ToolCall) -> ExternalResult:
    if result.call_id != call.id:
        raise InvalidResult(
            f"The result of call {quote(call.id)} is that of {quote(result.call_id)}. Its effect may have happened."
        )
    return result
