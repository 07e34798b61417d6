"""The context of a call, in a runtime and by hand."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    InvalidValue,
    NodeUnavailable,
    PermissionDenied,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    interaction_worker,
)
from tests.support import run
from tests.support.strategies import NOT_JSON
from tests.support.tools import make_tool


@pytest.mark.promise("D-TOOL-20")
def test_a_context_made_by_hand_works_without_a_worker() -> None:
    async def scenario() -> None:
        context = ToolContext(call_id="c1", sandbox=Sandbox(read=True), config={"a": 1}, providers={})
        assert context.call_id == "c1"
        assert context.sandbox is context.services.sandbox
        assert context.config == {"a": 1}
        assert (context.worker, context.execution, context.deadline, context.resources) == (None, None, None, None)
        context.emit({"nobody": "listens"})
        context.log.info("tool_tried")
        assert await context.in_thread(lambda: context.wait(asyncio.sleep(0, "from the loop"))) == "from the loop"
        with pytest.raises(NodeUnavailable, match="belongs to no runtime"):
            await context.invoke(ACT_TOOL, {})
        tool = make_tool()
        assert await tool.execute(tool.validate({"a": 1}), context) == ToolOutcome(structured_content={"a": 1})  # type: ignore[misc]

    run(scenario())


def test_by_default_nothing_is_permitted() -> None:
    with pytest.raises(PermissionDenied):
        ToolContext().sandbox.require("read")


@pytest.mark.promise("TOOL-06")
def test_a_runtime_gives_services_identity_and_further_calls() -> None:
    async def scenario() -> None:
        seen: list[ToolContext] = []

        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            seen.append(context)
            assert context.services is runtime.services
            assert context.config == "the application's"
            assert context.worker is not None
            assert (context.worker.type, context.execution) == ("INTERACTION", None)
            inner = await context.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="2", name="echo", arguments={})))
            assert inner.call_id == "2"
            return ToolOutcome(content="")

        worker = interaction_worker(tools=[make_tool("t", execute), make_tool()])
        runtime = Runtime(workers=[worker], sandbox=Sandbox(tools=["*"]), config="the application's")
        await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="1", name="t", arguments={})))
        assert seen[0].call_id == "1"

    run(scenario())


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.case("JSON-08")
def test_an_event_is_json(kind: str) -> None:
    with pytest.raises(InvalidValue):
        ToolContext().emit({"x": NOT_JSON[kind]})
