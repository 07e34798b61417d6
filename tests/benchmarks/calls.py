"""Calls of a small tool: one after the other, a thousand at once, and a thousand of which eight run at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    JsonObject,
    ObserveInput,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolRegistry,
    interaction_worker,
    tool,
)

from .harness import FLOOR, Effort, Row, Work, in_turns, row

MANY: Final = 1_000
AT_A_TIME: Final = 8
FLOOR_OF_A_CALL: Final = "dict look-up, argument check by hand, await fn(**args)"


async def add(a: int, b: int) -> dict[str, int]:
    """Add two whole numbers."""
    return {"sum": a + b}


async def add_later(a: int, b: int) -> dict[str, int]:
    """Add two whole numbers after giving way to the event loop once."""
    await asyncio.sleep(0)
    return {"sum": a + b}


BY_HAND: Final[dict[str, Callable[..., Awaitable[Any]]]] = {"add": add, "add_later": add_later}
ARGUMENTS: Final[JsonObject] = {"a": 1, "b": 2}
ALLOWED: Final = Sandbox(tools=list(BY_HAND))


async def floor(name: str, arguments: Any) -> Any:
    """Call a function by its name with checked arguments: what nobody can leave out."""
    function = BY_HAND[name]
    if type(arguments) is not dict or len(arguments) != 2:
        raise TypeError(name)
    if type(arguments.get("a")) is not int or type(arguments.get("b")) is not int:
        raise TypeError(name)
    return await function(**arguments)


def registry() -> ToolRegistry:
    """Return a registry of the tools that are called."""
    tools = ToolRegistry()
    tools.register_all([tool(add), tool(add_later)])
    return tools


async def one_by_one(effort: Effort) -> list[Row]:
    """Measure a call of the registry, and a call of the runtime with the observation of its result."""
    tools, context = registry(), ToolContext(sandbox=ALLOWED)
    async with Runtime(workers=[interaction_worker(tools=tools)], sandbox=ALLOWED) as runtime:

        async def by_hand(times: int) -> None:
            for _ in range(times):
                await floor("add", ARGUMENTS)

        async def by_registry(times: int) -> None:
            for _ in range(times):
                await tools.call(asked("add"), context)

        async def by_runtime(times: int) -> None:
            for _ in range(times):
                result = await runtime.invoke(ACT_TOOL, ToolInput(call=asked("add")))
                await runtime.invoke(OBSERVE, ObserveInput(result=result))

        registered, invoked = "ToolRegistry.call", "Runtime.invoke(ACT_TOOL), then OBSERVE"
        samples = await in_turns({FLOOR: by_hand, registered: by_registry, invoked: by_runtime}, effort)
    return [
        row(samples, registered, floor=FLOOR_OF_A_CALL, budget=14, goal=8),
        row(samples, invoked, floor=FLOOR_OF_A_CALL, budget=28, goal=16),
    ]


async def at_once(effort: Effort) -> list[Row]:
    """Measure a thousand calls that are begun together."""
    async with Runtime(workers=[interaction_worker(tools=registry())], sandbox=ALLOWED) as runtime:
        case = f"{MANY:,} calls at once"
        samples = await in_turns({FLOOR: gathered(begin_by_hand), case: gathered(_invoke(runtime))}, effort)
    return [row(samples, case, floor="the same with the floor", budget=3, goal=2, operations=MANY)]


async def few_at_a_time(effort: Effort) -> list[Row]:
    """Measure a thousand calls that are begun together and of which eight may run at a time."""
    gate = asyncio.Semaphore(AT_A_TIME)

    async def gated() -> Any:
        async with gate:
            return await begin_by_hand()

    worker = interaction_worker(tools=registry(), concurrency=AT_A_TIME)
    async with Runtime(workers=[worker], sandbox=ALLOWED) as runtime:
        case = f"{MANY:,} calls, {AT_A_TIME} at a time"
        samples = await in_turns({FLOOR: gathered(gated), case: gathered(_invoke(runtime))}, effort)
    return [row(samples, case, floor="the same with the floor and a Semaphore", budget=2.3, goal=1.7, operations=MANY)]


def begin_by_hand() -> Awaitable[Any]:
    """Return a call with the floor, of a function that gives way once."""
    return floor("add_later", ARGUMENTS)


def _invoke(runtime: Runtime) -> Callable[[], Awaitable[Any]]:
    return lambda: runtime.invoke(ACT_TOOL, ToolInput(call=asked("add_later")))


def asked(name: str) -> ToolCall:
    """Return a new call, as each has its own; making it belongs to what is measured."""
    return ToolCall(id="call-1", name=name, arguments=ARGUMENTS)


def gathered(begin: Callable[[], Awaitable[Any]]) -> Work:
    """Return calls of which `MANY` are begun together."""

    async def work(times: int) -> None:
        for _ in range(times):
            await asyncio.gather(*[begin() for _ in range(MANY)])

    return work
