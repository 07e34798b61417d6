"""Small tools that tests register."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from ditto_core import JsonObject, Tool, ToolContext, ToolOutcome


def make_tool(
    name: str = "echo",
    execute: Callable[[Any, ToolContext], Awaitable[ToolOutcome] | ToolOutcome] | None = None,
    validate: Callable[[JsonObject], Any] = lambda arguments: arguments,
    **more: Any,
) -> Tool[Any]:
    """Return a tool; without `execute` it answers with its arguments."""
    schema: JsonObject = {"type": "object"}
    return Tool(name=name, input_schema=schema, validate=validate, execute=execute or echo, **more)


async def echo(arguments: Any, context: ToolContext) -> ToolOutcome:
    """Answer with the arguments."""
    return ToolOutcome(structured_content=arguments)


class Gate:
    """A tool body that waits until it is let through, and counts who is inside."""

    def __init__(self) -> None:
        self.entered: list[str] = []
        self.inside = 0
        self.peak = 0
        self.open = asyncio.Event()
        self._arrived = asyncio.Condition()

    async def __call__(self, arguments: Any, context: ToolContext) -> ToolOutcome:
        self.entered.append(context.call_id)
        self.inside += 1
        self.peak = max(self.peak, self.inside)
        async with self._arrived:
            self._arrived.notify_all()
        try:
            await self.open.wait()
        finally:
            self.inside -= 1
        return ToolOutcome(content=context.call_id)

    async def wait_for(self, count: int) -> None:
        """Wait until `count` calls have entered since the beginning."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.entered) >= count)


async def settle() -> None:
    """Let every task that can run now run until it waits for something."""
    for _ in range(20):
        await asyncio.sleep(0)
