"""Two calls that do not need each other go on at once; a third, which needs both, waits for them."""

from __future__ import annotations

import asyncio

import attrs

from ditto_core import (
    ACT_TOOL,
    UNSET,
    ExternalResult,
    Graph,
    JsonValue,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    tool,
)

both = asyncio.Barrier(2)


@tool
async def price(article: str) -> int:
    """Look up a price; it answers only when the other look-up is going on too."""
    await both.wait()
    return {"apple": 3}[article]


@tool
async def stock(article: str) -> int:
    """Look up how many there are; it answers only when the other look-up is going on too."""
    await both.wait()
    return {"apple": 12}[article]


@tool
async def make_offer(article: str, price: int, stock: int) -> str:
    """Write an offer."""
    return f"{article}: {price} each, {stock} left"


@attrs.frozen(kw_only=True)
class Order:
    """What one run of the graph is given."""

    id: str
    article: str

    def call(self, name: str, **more: JsonValue) -> ToolInput:
        """Return the call of a tool, under an id that nothing else has."""
        arguments: dict[str, JsonValue] = {"article": self.article, **more}
        return ToolInput(call=ToolCall(id=f"{self.id}.{name}", name=name, arguments=arguments))


graph = Graph("offer", Order)


@graph.node(ACT_TOOL)
def ask_price(order: Order) -> ToolInput:
    """Ask for the price."""
    return order.call("price")


@graph.node(ACT_TOOL)
def ask_stock(order: Order) -> ToolInput:
    """Ask for the stock."""
    return order.call("stock")


def found(result: ExternalResult) -> JsonValue:
    """Return what was found; raise where nothing was, which ends the run."""
    if result.structured_content is UNSET:
        raise LookupError(f"{result.source}: {result.status}")
    return result.structured_content


@graph.node(ACT_TOOL, ask_price, ask_stock)
def offer(order: Order, price: ExternalResult, stock: ExternalResult) -> ToolInput:
    """Put the answers together."""
    return order.call("make_offer", price=found(price), stock=found(stock))


async def main() -> None:
    """Run the graph, look at its outputs, and draw it."""
    tools = [price, stock, make_offer]
    sandbox = Sandbox(tools=[one.name for one in tools])
    async with Runtime(workers=[interaction_worker(tools=tools)], sandbox=sandbox) as runtime:
        outputs = await runtime.run(graph, Order(id="order-1", article="apple"))
    print(outputs[offer].content)  # by step: a type checker knows that this is an ExternalResult
    print(outputs["ask_price"].call_id)  # by id: it knows nothing
    print(graph.to_mermaid(), end="")


if __name__ == "__main__":
    asyncio.run(main())
