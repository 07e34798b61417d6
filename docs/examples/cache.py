"""A wrapper of one's own: a tool that changes nothing answers the same call from memory for a while."""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from ditto_core import (
    ACT_TOOL,
    PermissionDenied,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    interaction_worker,
    outcome_of,
    tool,
)

A = TypeVar("A")
ORIGIN = "https://rates.example.com"
Scope = Callable[[ToolContext], str]


@attrs.define(eq=False)
class Cache:
    """Keeps at most `most` outcomes, each for `seconds`; the oldest makes room."""

    seconds: float
    most: int
    clock: Callable[[], float] = time.monotonic
    _kept: dict[tuple[str, ...], tuple[float, ToolOutcome]] = attrs.field(factory=dict, init=False)

    def get(self, key: tuple[str, ...]) -> ToolOutcome | None:
        """Return a copy that says where it comes from: who gets a result may change it."""
        until, outcome = self._kept.get(key, (self.clock(), None))
        if outcome is None or until <= self.clock():
            self._kept.pop(key, None)
            return None
        return attrs.evolve(copy.deepcopy(outcome), metadata={**(outcome.metadata or {}), "from_cache": True})

    def put(self, key: tuple[str, ...], outcome: ToolOutcome) -> None:
        """Keep a copy as the newest."""
        self._kept.pop(key, None)
        if len(self._kept) >= self.most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (self.clock() + self.seconds, copy.deepcopy(outcome))


def with_cache(tool: Tool[A], cache: Cache, scope: Scope) -> Tool[A]:
    """Return the tool that remembers its successes; `scope` says for whom an answer is good."""
    if not tool.effects or tool.effects & {"write", "execute"}:
        raise ValueError(f"{tool.name} may change something, or does not say what it does: let it run each time")

    async def cached(arguments: Any, context: ToolContext) -> ToolOutcome:
        given = attrs.asdict(arguments) if attrs.has(type(arguments)) else arguments
        key = (tool.name, scope(context), repr(given))
        outcome = cache.get(key)
        if outcome is None:
            outcome = await outcome_of(tool, arguments, context)
            if outcome.status == "success":
                cache.put(key, outcome)
        return outcome

    return attrs.evolve(tool, execute=cached)


def same_for_all(context: ToolContext) -> str:
    """Ask for the permission that the tool would ask for; whoever has it gets the same answer."""
    context.sandbox.require("network", ORIGIN)
    return ""


@tool(effects={"network"})
async def rate(currency: str, context: ToolContext) -> dict[str, float]:
    """Ask a service for an exchange rate."""
    context.sandbox.require("network", ORIGIN)
    print("the service is asked for", currency)
    return {currency: 1.25}


async def main() -> None:
    """Ask twice, wait until the answer is too old, ask again, and ask without the permission."""
    now = 0.0
    cache = Cache(seconds=60, most=1_000, clock=lambda: now)
    worker = interaction_worker(tools=[with_cache(rate, cache, same_for_all)])
    sandbox = Sandbox(tools=["rate"], network=[ORIGIN])
    async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
        call = ToolInput(call=ToolCall(id="c1", name="rate", arguments={"currency": "EUR"}))
        for now in (0.0, 59.0, 60.0):
            result = await runtime.invoke(ACT_TOOL, call)
            print(f"{now:.0f} s:", result.structured_content, result.metadata or "")
        try:
            await runtime.invoke(ACT_TOOL, call, sandbox=sandbox.narrow(network=[]))
        except PermissionDenied as refusal:
            print(refusal)


if __name__ == "__main__":
    asyncio.run(main())
