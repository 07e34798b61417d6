"""An agent with two tools, one of an MCP server. A script stands for the model, so that this runs anywhere."""

from __future__ import annotations

import asyncio
import json

from ditto_agent import AgentLimits, mcp_actions, run_agent, tool_actions
from ditto_core import (
    JsonObject,
    McpPage,
    McpTool,
    McpToolResult,
    Runtime,
    Sandbox,
    ToolCall,
    ToolFailed,
    interaction_worker,
    to_wire,
    tool,
)
from ditto_infer import ModelChoice, ModelMessage, Sample, SampleInput, Usage, infer_worker

STOCK = {"tea": 3}


@tool
async def stock(item: str) -> int:
    """How many of an item there are."""
    if item not in STOCK:
        raise ToolFailed("NO_SUCH_ITEM", "There is no item of that name.")
    return STOCK[item]


class Prices:
    """Stands for a connection to an MCP server."""

    async def list_tools(self, cursor: str | None = None) -> McpPage:
        """Return the only page."""
        schema: JsonObject = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
        return McpPage(tools=(McpTool(name="price", description="What an item costs.", input_schema=schema),))

    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        """Call the only tool."""
        return McpToolResult(content=f"{arguments['item']} costs 5 dollars")


class Script:
    """Stands for a provider such as OpenAIModel: says what is next, whatever it is asked."""

    origin = None

    def __init__(self, *turns: str | tuple[ToolCall, ...]) -> None:
        self.turns = list(turns)

    async def sample(self, request: SampleInput) -> Sample:
        """Give the next turn: a text, or calls to ask for."""
        turn = self.turns.pop(0)
        usage = Usage(total_tokens=100)
        if isinstance(turn, str):
            message = ModelMessage(role="assistant", content=turn)
            return Sample(message=message, finish_reason="stop", usage=usage)
        message = ModelMessage(role="assistant", content="")
        return Sample(message=message, finish_reason="action_request", action_requests=turn, usage=usage)


SCRIPT = Script(
    (
        ToolCall(id="call_1", name="stock", arguments={"item": "tea"}),
        ToolCall(id="call_2", name="shop_price", arguments={"item": "tea"}),
    ),
    (
        ToolCall(id="call_3", name="stock", arguments={"item": "milk"}),
        ToolCall(id="call_4", name="stock", arguments={"thing": "milk"}),
    ),
    "There are 3 of tea, at 5 dollars, and no milk.",
)


async def main() -> None:
    """Offer both tools, run until the model answers, and show what it was shown."""
    workers = [infer_worker({"script": SCRIPT}), interaction_worker(tools=[stock], mcp={"shop": Prices()})]
    async with Runtime(workers=workers, sandbox=Sandbox(tools=["stock"], mcp=["shop"])) as runtime:
        task = SampleInput(
            messages=(ModelMessage(role="user", content="How much tea and milk is there?"),),
            model=ModelChoice(model="any"),
            actions=(*tool_actions(runtime), *await mcp_actions(runtime, "shop", prefix="shop_")),
        )
        result = await run_agent(runtime, task, limits=AgentLimits(max_steps=5, max_total_tokens=10_000))
    for message in result.messages:
        print(json.dumps(to_wire(message)))
    print(result.status, result.stop_reason, result.steps, result.action_calls, result.usage.total_tokens)


if __name__ == "__main__":
    asyncio.run(main())
