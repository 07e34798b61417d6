"""One call on its way into a context that is passed along, through a tool and through an MCP server."""

from __future__ import annotations

import pytest

from ditto_agent.flows import run_mcp_flow, run_tool_call_flow
from ditto_context import Context, ContextItem, context_worker
from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    UNSET,
    ExternalResult,
    InteractionError,
    InvalidResult,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    PermissionDenied,
    Runtime,
    Sandbox,
    ToolCall,
    ToolOutcome,
    Worker,
    interaction_nodes,
)
from tests.plugins.agent.acting import Stage, stage
from tests.support import run

GOAL = Context(items=(ContextItem(id="goal", content="Count the tea."),))
CALL = ToolCall(id="c1", name="stock", arguments={"item": "tea"})


def register(on: Stage) -> None:
    on.runtime.register(context_worker())


@pytest.mark.promise("CTX-04")
def test_a_tools_result_is_entered_and_the_context_that_went_in_stays() -> None:
    async def main() -> None:
        async with stage() as on:
            register(on)
            flow = await run_tool_call_flow(on.runtime, GOAL, CALL)
        assert (flow.output.call_id, flow.observation.call_id, flow.output.content) == ("c1", "c1", "3")
        assert Context(items=(ContextItem(id="goal", content="Count the tea."),)) == GOAL
        assert [item.id for item in flow.context.items] == ["goal", "observation:c1"]
        entered = flow.context.items[1]
        assert (entered.content, entered.metadata) == (
            "3",
            {"callId": "c1", "source": "stock", "status": "success", "sourceNode": "INTERACTION.OBSERVE"},
        )

    run(main())


def test_a_failure_is_entered_too_and_an_exception_enters_nothing() -> None:
    failed = ToolOutcome(status="failed", error=InteractionError(code="SOLD_OUT", message="None left."))

    async def main() -> None:
        async with stage(answer=failed) as on:
            register(on)
            flow = await run_tool_call_flow(on.runtime, GOAL, CALL)
        assert flow.context.items[1].metadata
        assert flow.context.items[1].metadata["status"] == "failed"
        async with stage(sandbox=Sandbox()) as on:
            register(on)
            with pytest.raises(PermissionDenied):
                await run_tool_call_flow(on.runtime, GOAL, CALL)
        assert on.calls == []

    run(main())


@pytest.mark.promise("CTX-04")
def test_a_servers_result_is_entered_and_a_discovery_changes_nothing() -> None:
    async def main() -> None:
        async with stage() as on:
            register(on)
            found = await run_mcp_flow(on.runtime, GOAL, McpDiscover(server="files"))
            assert isinstance(found.output, McpDiscovered)
            assert (found.observation, found.context is GOAL) == (UNSET, True)
            call = ToolCall(id="m1", name="read_text", arguments={"path": "README.md"})
            flow = await run_mcp_flow(on.runtime, GOAL, McpInvoke(server="files", call=call))
        assert flow.observation
        assert (flow.observation.source, flow.observation.message.content) == ("files:read_text", "hello")
        assert [item.id for item in flow.context.items] == ["goal", "observation:m1"]

    run(main())


def test_the_result_of_another_call_is_refused() -> None:
    async def other(input: object, context: object) -> ExternalResult:
        return ExternalResult(call_id="c2", source="stock", status="success", content="3")

    async def main() -> None:
        nodes = [one for one in interaction_nodes() if one.node.type != ACT_TOOL.type]
        worker = Worker("INTERACTION", [*nodes, ACT_TOOL.define("INTERACTION", other)])
        assert OBSERVE.type in worker.handlers
        async with Runtime(workers=[worker, context_worker()]) as runtime:
            with pytest.raises(InvalidResult, match=r"result of call 'c1' is that of 'c2'"):
                await run_tool_call_flow(runtime, GOAL, CALL)

    run(main())
