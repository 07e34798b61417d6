"""A wrapper of one's own: it lets a tool begin only so often, and lets only so many calls wait for that."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import attrs

from ditto_core import (
    ACT_TOOL,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolInput,
    ToolOutcome,
    interaction_worker,
    outcome_of,
    tool,
)

A = TypeVar("A")


@attrs.define(eq=False)
class RateLimit:
    """One start each `interval` seconds, in the order of arrival; several tools may share one limit."""

    interval: float
    max_waiting: int
    _waiting: int = attrs.field(default=0, init=False)
    _next: float = attrs.field(default=0.0, init=False)
    _turn: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)

    async def wait(self) -> None:
        """Wait for a turn, or fail at once when too many wait already."""
        if self._waiting >= self.max_waiting:
            raise ToolFailed("RATE_LIMITED", "Too many calls are waiting. Nothing has run.", retryable=True)
        self._waiting += 1
        try:
            async with self._turn:  # fair, and given back when a call is cancelled
                now = asyncio.get_running_loop().time()
                await asyncio.sleep(self._next - now)
                self._next = max(now, self._next) + self.interval
        finally:
            self._waiting -= 1


def with_rate_limit(tool: Tool[A], limit: RateLimit) -> Tool[A]:
    """Return the tool that waits for its turn, after `validate` and before `execute`."""

    async def limited(arguments: A, context: ToolContext) -> ToolOutcome:
        await limit.wait()
        return await outcome_of(tool, arguments, context)

    return attrs.evolve(tool, execute=limited)


@tool
async def ask(question: str) -> str:
    """Ask a service that bears only so much."""
    return f"{question}? Yes."


async def main() -> None:
    """Make five calls at once."""
    worker = interaction_worker(tools=[with_rate_limit(ask, RateLimit(interval=0.02, max_waiting=3))])
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["ask"])) as runtime:
        calls = [ToolCall(id=f"c{n}", name="ask", arguments={"question": f"question {n}"}) for n in range(1, 6)]
        results = await asyncio.gather(*(runtime.invoke(ACT_TOOL, ToolInput(call=call)) for call in calls))
    for result in results:
        print(result.call_id, result.status, result.error.code if result.error else result.content)


if __name__ == "__main__":
    asyncio.run(main())
