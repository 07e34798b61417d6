"""What runs the graphs of the loop, and these graphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from ditto_core import (
    ACT_MCP,
    ACT_TOOL,
    OBSERVE,
    ExternalResult,
    Graph,
    InvalidInput,
    McpInvoke,
    McpInvoked,
    McpOutput,
    Observation,
    ObserveInput,
    Outputs,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
)
from ditto_infer import SAMPLE, Action, McpTarget, SampleInput, SampleResult, ToolTarget


class GraphRunner(Protocol):
    """All that the loop needs: a :class:`~ditto_core.Runtime`, or the context of a call that it is a part of."""

    async def run(self, graph: Graph[Any], input: Any, /) -> Outputs:
        """Run a graph and return its outputs."""
        ...


class Graphs:
    """The graphs of one run: one asks the model, the others run an action or observe. All have the run's name."""

    def __init__(self, runner: GraphRunner, name: str, sandbox: Sandbox | None) -> None:
        self._run: Callable[[Graph[Any], Any], Any] = runner.run
        if sandbox is not None:
            if not isinstance(runner, Runtime):
                raise InvalidInput("run_agent: only a Runtime takes a sandbox; a call's context has its own already.")
            self._run = partial(runner.run, sandbox=sandbox)
        self._sampling = Graph(name, SampleInput)
        self._sample = self._sampling.add("sample", SAMPLE, _same)
        self._observing = Graph(name, ObserveInput)
        self._observation = self._observing.add("observation", OBSERVE, _same)
        self._acting = Graph(name, ToolInput)
        acted = self._acting.add("action", ACT_TOOL, _same)
        self._acted = self._acting.add("observation", OBSERVE, _observed, after=[acted])
        self._asking = Graph(name, McpInvoke)
        asked = self._asking.add("action", ACT_MCP, _same)
        self._asked = self._asking.add("observation", OBSERVE, _observed_of_mcp, after=[asked])

    async def sample(self, input: SampleInput) -> SampleResult:
        """Ask the model."""
        outputs: Outputs = await self._run(self._sampling, input)
        return outputs[self._sample]

    async def act(self, action: Action, request: ToolCall) -> Observation:
        """Run an action once and observe its result."""
        target = action.target or ToolTarget()
        if isinstance(target, McpTarget):
            call = ToolCall(id=request.id, name=target.tool_name, arguments=request.arguments)
            outputs: Outputs = await self._run(self._asking, McpInvoke(server=target.server, call=call))
            return outputs[self._asked]
        call = ToolCall(id=request.id, name=target.tool_name or action.name, arguments=request.arguments)
        outputs = await self._run(self._acting, ToolInput(call=call))
        return outputs[self._acted]

    async def observe(self, result: ExternalResult) -> Observation:
        """Observe a result that no action gave."""
        outputs: Outputs = await self._run(self._observing, ObserveInput(result=result))
        return outputs[self._observation]


def _same(input: Any) -> Any:
    return input


def _observed(input: Any, result: ExternalResult) -> ObserveInput:
    return ObserveInput(result=result)


def _observed_of_mcp(input: Any, output: McpOutput) -> ObserveInput:
    if not isinstance(output, McpInvoked):
        raise InvalidInput("run_agent: a call of an MCP tool was answered with something else than its result.")
    return ObserveInput(result=output.result)
