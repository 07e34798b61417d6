"""A tool that runs a graph of its own, and what an observer is told of the calls in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, ClassVar

import attrs

from ditto_core import (
    ACT_TOOL,
    CallStarted,
    Graph,
    PluginHost,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolInput,
    hookimpl,
    interaction_worker,
    tool,
)


@tool
async def price(article: str) -> int:
    """Look up a price."""
    return len(article)


graph = Graph("prices", str)
for article in ("apple", "fig"):  # from data: a node for each article, and its id says which
    graph.add(
        article,
        ACT_TOOL,
        lambda parent, *, article=article: ToolInput(
            call=ToolCall(id=f"{parent}.{article}", name="price", arguments={"article": article})
        ),
    )


@tool
async def basket(context: ToolContext) -> str:
    """Say what one of each costs."""
    outputs = await context.run(graph, context.call_id)
    return ", ".join(f"{id}: {result.structured_content}" for id, result in outputs.items())


@attrs.frozen(eq=False)
class Shop:
    """Offers both tools, and observes all calls."""

    api_version: ClassVar[int] = 1

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tools."""
        return [price, basket]

    @hookimpl
    def ditto_call_started(self, event: CallStarted) -> None:
        """Print where a call belongs."""
        parent = event.parent.call_id if event.parent else "nobody"
        where = f"node {event.execution.node!r} of graph {event.execution.graph!r}" if event.execution else "no graph"
        print(f"{event.call_id}: called by {parent}, {where}")


async def main() -> None:
    """Call the tool."""
    host = PluginHost()
    host.register(Shop())
    sandbox = Sandbox(tools=["price", "basket"])
    async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=sandbox) as runtime:
        result = await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="c1", name="basket", arguments={})))
    print(result.content)


if __name__ == "__main__":
    asyncio.run(main())
