"""What is left of a run in which a node fails, and of one that takes too long."""

from __future__ import annotations

import asyncio

from ditto_core import (
    ACT_TOOL,
    CallTimeout,
    ExternalResult,
    Graph,
    Outputs,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    tool,
)


@tool
async def rest(seconds: float) -> str:
    """Take some time."""
    await asyncio.sleep(seconds)
    return f"rested for {seconds} s"


@tool
async def divide(a: int, b: int) -> float:
    """Divide; by nothing, it raises."""
    return a / b


graph = Graph("three-nodes", int)


@graph.node(ACT_TOOL)
def resting(number: int) -> ToolInput:
    """Run while another node fails, and end well."""
    return ToolInput(call=ToolCall(id="c1", name="rest", arguments={"seconds": 0.1}))


@graph.node(ACT_TOOL)
def divided(number: int) -> ToolInput:
    """Fail."""
    return ToolInput(call=ToolCall(id="c2", name="divide", arguments={"a": number, "b": 0}))


@graph.node(ACT_TOOL, resting)
def afterwards(number: int, rested: ExternalResult) -> ToolInput:
    """Never begin, because another node has failed by then."""
    return ToolInput(call=ToolCall(id="c3", name="rest", arguments={"seconds": 0}))


async def main() -> None:
    """Look at both."""
    worker = interaction_worker(tools=[rest, divide])
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["rest", "divide"])) as runtime:
        outputs = Outputs()
        try:
            await runtime.run(graph, 6, into=outputs)
        except ZeroDivisionError as error:  # what the tool raised, unchanged
            print(repr(error), *error.__notes__)
        print("ended:", *outputs, "| raised:", *outputs.errors)
        print("resting gave:", outputs[resting].content)

        outputs = Outputs()
        try:
            await runtime.run(graph, 6, timeout=0.01, into=outputs)
        except CallTimeout as error:
            print(error)
        print("ended:", *outputs, "| raised:", *outputs.errors)


if __name__ == "__main__":
    asyncio.run(main())
