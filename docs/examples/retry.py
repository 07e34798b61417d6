"""Retry what may be retried: the status decides, and what may have happened is looked up before it is tried again."""

from __future__ import annotations

import asyncio
from itertools import count

from ditto_core import (
    ACT_TOOL,
    ExternalResult,
    JsonValue,
    Runtime,
    Sandbox,
    ToolCall,
    ToolFailed,
    ToolInput,
    interaction_worker,
    tool,
)

booked: set[str] = set()
attempts = count(1)


@tool(effects={"write"})
async def book(seat: str) -> str:
    """Book a seat at a service on a bad day: first it is busy, then its answer gets lost."""
    if next(attempts) == 1:
        raise ToolFailed("BUSY", "Try again later.", retryable=True)
    booked.add(seat)
    raise ToolFailed("NO_ANSWER", "The connection broke.", status="unknown")


@tool(effects={"read"})
async def is_booked(seat: str) -> bool:
    """Look a seat up."""
    return seat in booked


async def call(runtime: Runtime, id: str, name: str, **arguments: JsonValue) -> ExternalResult:
    """Make one call."""
    result = await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id=id, name=name, arguments={**arguments})))
    print(f"{id}: {name}: {result.status}", result.error.code if result.error else result.structured_content)
    return result


async def book_reliably(runtime: Runtime, id: str, seat: str) -> bool:
    """Return whether the seat is ours; what no status can decide raises."""
    for attempt in range(3):
        if attempt:
            await asyncio.sleep(0.01 * 2**attempt)
        result = await call(runtime, f"{id}.{attempt}", "book", seat=seat)
        if result.status == "success":
            return True
        if result.status in {"unknown", "timeout"}:
            found = await call(runtime, f"{id}.{attempt}.check", "is_booked", seat=seat)
            if found.status != "success":
                raise RuntimeError("Nobody knows whether the seat is booked: a person has to find out.")
            if found.structured_content is True:
                return True
        elif not (result.error and result.error.retryable):
            return False
    return False


async def main() -> None:
    """Book a seat."""
    worker = interaction_worker(tools=[book, is_booked])
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["book", "is_booked"])) as runtime:
        print("booked:", await book_reliably(runtime, "b1", "12A"))


if __name__ == "__main__":
    asyncio.run(main())
