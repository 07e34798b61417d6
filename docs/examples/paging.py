"""A loop that asks for one page after the other until there is no next one, and what to do when it is exhausted."""

from __future__ import annotations

import asyncio

import attrs

from ditto_core import Graph, Loop, LoopExhausted, Node, Outputs, Runtime, ToolContext, Worker

ORDERS = tuple(f"order {number}" for number in range(1, 8))


@attrs.frozen(kw_only=True)
class Start:
    """Where a page begins."""

    at: int


@attrs.frozen(kw_only=True)
class Page:
    """Some orders, and where the next page begins, if there is one."""

    orders: tuple[str, ...]
    next: int | None


LIST_ORDERS: Node[Start, Page] = Node("SHOP.LIST_ORDERS", Start, Page)


async def list_orders(start: Start, context: ToolContext) -> Page:
    """Handle the node: two orders make a page."""
    end = start.at + 2
    return Page(orders=ORDERS[start.at : end], next=end if end < len(ORDERS) else None)


@attrs.frozen(kw_only=True)
class State:
    """What is known so far. It is replaced, never changed, so an older one stays what it was."""

    orders: tuple[str, ...] = ()
    next: int | None = 0


graph = Graph("one-page", Start)


@graph.node(LIST_ORDERS)
def page(start: Start) -> Start:
    """Ask for a page."""
    return start


def add(state: State, outputs: Outputs) -> State:
    """Put a page to what is known; `outputs[page]` is a Page."""
    return State(orders=state.orders + outputs[page].orders, next=outputs[page].next)


loop = Loop(
    graph,
    bind=lambda state: Start(at=state.next or 0),
    update=add,
    done=lambda state: state.next is None,
    max_iterations=3,
)


async def main() -> None:
    """Loop as often as it may; then go on from where it was."""
    shop = Worker("SHOP", [LIST_ORDERS.define("SHOP", list_orders)])
    async with Runtime(workers=[shop]) as runtime:
        try:
            state = await runtime.loop(loop, State())
        except LoopExhausted as error:
            print(error)
            state = error.state
            print("so far:", ", ".join(state.orders))
            state = await runtime.loop(loop, state)
        print("in the end:", ", ".join(state.orders))


if __name__ == "__main__":
    asyncio.run(main())
