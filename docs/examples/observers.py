"""A plugin that watches: it is told of each call and of how it ended, and can change nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, ClassVar

import attrs

from ditto_core import (
    ACT_TOOL,
    CallFinished,
    CallStarted,
    DittoError,
    PluginHost,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolInput,
    hookimpl,
    interaction_worker,
    tool,
)


@attrs.frozen(eq=False)
class Journal:
    """Prints a line for each event. An event holds names, ids and times, never arguments or contents."""

    api_version: ClassVar[int] = 1

    @hookimpl
    def ditto_call_started(self, event: CallStarted) -> None:
        """Be told that a call has begun; this runs in the caller's task, so it has to be quick."""
        parent = f", called by {event.parent.call_id}" if event.parent else ""
        print(f"{event.call_id} started: {event.name} of {event.origin}{parent}")

    @hookimpl
    def ditto_call_finished(self, event: CallFinished) -> None:
        """Be told how it ended, exactly once for each that has begun."""
        print(f"{event.call.call_id} finished: {event.outcome}{f', {event.error}' if event.error else ''}")


@tool
async def price(article: str) -> int:
    """Look up a price."""
    if article != "apple":
        raise ToolFailed("NO_SUCH_ARTICLE", "There is no such article.")
    return 3


@tool
async def invoice(article: str, context: ToolContext) -> str:
    """Write an invoice, with the help of another tool."""
    call = ToolCall(id=f"{context.call_id}.price", name="price", arguments={"article": article})
    result = await context.invoke(ACT_TOOL, ToolInput(call=call))
    return f"one {article}: {result.structured_content}"


@attrs.frozen(eq=False)
class Shop:
    """Offers the two tools."""

    api_version: ClassVar[int] = 1

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tools."""
        return [price, invoice]


async def main() -> None:
    """Make calls that end in different ways."""
    host = PluginHost()
    host.register(Shop())
    host.register(Journal())
    worker = interaction_worker(tools=host.tools)
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["price", "invoice"])) as runtime:
        calls = [
            ToolCall(id="c1", name="invoice", arguments={"article": "apple"}),
            ToolCall(id="c2", name="price", arguments={"article": "pear"}),
            ToolCall(id="c3", name="price", arguments={"article": 7}),
        ]
        for call in calls:
            try:
                await runtime.invoke(ACT_TOOL, ToolInput(call=call))
            except DittoError as error:
                print(f"{call.id} raised {type(error).__name__}")


if __name__ == "__main__":
    asyncio.run(main())
