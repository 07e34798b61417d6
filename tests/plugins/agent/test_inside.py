"""A run inside of a call: an agent that is a tool of another."""

from __future__ import annotations

import pytest

from ditto_agent import run_agent
from ditto_core import (
    ACT_TOOL,
    InvalidInput,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    interaction_worker,
    tool,
)
from ditto_infer import Action
from tests.plugins.agent.acting import ITEM
from tests.support import run
from tests.support.models import asks, question, says, scripted


def test_a_run_inside_of_a_call_is_bound_by_that_call() -> None:
    seen: list[str] = []

    @tool
    async def look(item: str) -> str:
        """Look at an item."""
        seen.append(item)
        return f"3 of {item}"

    @tool
    async def delegate(item: str, context: ToolContext) -> str:
        """Let another agent look."""
        action = Action(name="look", input_schema=ITEM)
        with pytest.raises(InvalidInput, match=r"only a Runtime takes a sandbox"):
            await run_agent(context, question(item), sandbox=context.sandbox)
        result = await run_agent(context, question(item, actions=(action,)))
        return f"{result.stop_reason}: {result.error.code if result.error else ''}"

    async def main(permitted: list[str]) -> object:
        _, infer = scripted(asks(("a", "look", {"item": "tea"})), says("There are 3."))
        acting = interaction_worker(tools=[look, delegate], concurrency=1)
        async with Runtime(workers=[infer, acting], sandbox=Sandbox(tools=["look", "delegate"])) as runtime:
            call = ToolCall(id="d", name="delegate", arguments={"item": "tea"})
            narrow = runtime.services.sandbox.narrow(tools=permitted)
            return (await runtime.invoke(ACT_TOOL, ToolInput(call=call), sandbox=narrow)).content

    assert run(main(["look", "delegate"])) == "completed: "
    assert seen == ["tea"]
    assert run(main(["delegate"])) == "dependency_failed: PERMISSION_DENIED"
    assert seen == ["tea"]
