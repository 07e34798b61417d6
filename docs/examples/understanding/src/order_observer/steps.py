"""The steps of a task, each a graph of its own: what is done, and never whether.

A step that several nodes make up is one graph, so that a call and its observation belong to one run.
"""

from __future__ import annotations

from typing import Any, Protocol

import attrs

from ditto_context import CONTEXT_LOAD, CONTEXT_UPDATE, Context, ContextItem, ContextLoad, ContextScope, ContextUpdate
from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    ExternalResult,
    Graph,
    Observation,
    ObserveInput,
    Outputs,
    ToolCall,
    ToolInput,
)
from ditto_infer import SAMPLE, SampleInput, SampleResult
from ditto_memory import MEMORY_GET, MEMORY_WRITE, MemoryGet, MemoryResult, MemoryWrite

from .prompt import Question, sample_input


class Runner(Protocol):
    """All that is used of a runtime: its public ``run``."""

    async def run(self, graph: Graph[Any], input: Any, /) -> Outputs:
        """Run a graph and return its outputs."""
        ...


def _same(input: Any) -> Any:
    return input


_RECALL = Graph("recall", MemoryGet)
_recalled = _RECALL.add("get", MEMORY_GET, _same)
_REMEMBER = Graph("remember", MemoryWrite)
_remembered = _REMEMBER.add("write", MEMORY_WRITE, _same)
_LOAD = Graph("load-context", ContextLoad)
_loaded = _LOAD.add("load", CONTEXT_LOAD, _same)
_UPDATE = Graph("update-context", ContextUpdate)
_updated = _UPDATE.add("update", CONTEXT_UPDATE, _same)
_ACT = Graph("act", ToolCall)
_OBSERVE = Graph("act-and-observe", ToolCall)
_INTERPRET = Graph("interpret", Question)


@_ACT.node(ACT_TOOL)
def _acted(call: ToolCall) -> ToolInput:
    return ToolInput(call=call)


@_OBSERVE.node(ACT_TOOL)
def _result(call: ToolCall) -> ToolInput:
    return ToolInput(call=call)


@_OBSERVE.node(OBSERVE, _result)
def _observation(call: ToolCall, result: ExternalResult) -> ObserveInput:
    return ObserveInput(result=result)


@_INTERPRET.node(CONTEXT_LOAD)
def _context(question: Question) -> ContextLoad:
    return ContextLoad(scope=question.scope)


@_INTERPRET.node(SAMPLE, _context)
def _sample(question: Question, context: Context) -> SampleInput:
    return sample_input(question, context)


@attrs.frozen
class Steps:
    """Runs the steps on one runtime. Raises what its nodes raise, unchanged."""

    runner: Runner

    async def recall(self, *keys: str) -> MemoryResult:
        """Read memories."""
        return (await self.runner.run(_RECALL, MemoryGet(keys=keys)))[_recalled]

    async def remember(self, write: MemoryWrite) -> MemoryResult:
        """Write memories."""
        return (await self.runner.run(_REMEMBER, write))[_remembered]

    async def load(self, load: ContextLoad) -> Context:
        """Read what is kept in the context, or replace it."""
        return (await self.runner.run(_LOAD, load))[_loaded]

    async def add(self, scope: ContextScope, item: ContextItem) -> Context:
        """Add one item to the context."""
        return (await self.runner.run(_UPDATE, ContextUpdate(scope=scope, add=(item,))))[_updated]

    async def act(self, call: ToolCall) -> ExternalResult:
        """Call a tool whose result no model reads."""
        return (await self.runner.run(_ACT, call))[_acted]

    async def observe(self, call: ToolCall) -> tuple[ExternalResult, Observation]:
        """Call a tool and observe its result."""
        outputs = await self.runner.run(_OBSERVE, call)
        return outputs[_result], outputs[_observation]

    async def interpret(self, question: Question) -> SampleResult:
        """Read the context anew and ask the model."""
        return (await self.runner.run(_INTERPRET, question))[_sample]
