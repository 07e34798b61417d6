"""A worker with a node of its own, with resources, and with the standard nodes beside it."""

from __future__ import annotations

import asyncio

import attrs

from ditto_core import (
    ACT_TOOL,
    Node,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolRegistry,
    Worker,
    interaction_nodes,
    tool,
)


@attrs.frozen(kw_only=True)
class Order:
    """What the node takes."""

    article: str


@attrs.frozen(kw_only=True)
class Confirmation:
    """What the node gives."""

    text: str
    number: int


PLACE_ORDER: Node[Order, Confirmation] = Node("SHOP.PLACE_ORDER", Order, Confirmation)


@attrs.define
class Book:
    """The resources of one registration: here, the orders that it has taken."""

    orders: list[str] = attrs.field(factory=list)


@tool
async def price(article: str) -> int:
    """Look up a price."""
    return {"apple": 3, "pear": 5}[article]


async def place_order(order: Order, context: ToolContext) -> Confirmation:
    """Handle the node: it calls a tool on the way, under the permissions of its own call."""
    call = ToolCall(id=f"price-{order.article}", name="price", arguments={"article": order.article})
    result = await context.invoke(ACT_TOOL, ToolInput(call=call))
    book: Book = context.resources
    book.orders.append(order.article)
    return Confirmation(text=f"one {order.article} for {result.structured_content}", number=len(book.orders))


def close(book: Book) -> None:
    """Run once, when the registration closes."""
    print("closed with", book.orders)


async def main() -> None:
    """Place two orders, one as an object and one as JSON."""
    registry = ToolRegistry()
    registry.register(price)
    worker = Worker(
        "INTERACTION",
        [*interaction_nodes(tools=registry), PLACE_ORDER.define("INTERACTION", place_order)],
        expose=[PLACE_ORDER, ACT_TOOL],
        resources=Book,
        dispose=close,
        concurrency=4,
    )
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["price"])) as runtime:
        first = await runtime.invoke(PLACE_ORDER, Order(article="apple"))
        print(first.text, first.number)
        second = await runtime.invoke("SHOP.PLACE_ORDER", {"article": "pear"})
        print(second.text, second.number)


if __name__ == "__main__":
    asyncio.run(main())
