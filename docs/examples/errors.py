"""What a caller may have to catch, and the one question it has then: has anything run?"""

from __future__ import annotations

import asyncio

from ditto_core import (
    ACT_TOOL,
    CallTimeout,
    DittoError,
    JsonObject,
    JsonValue,
    RefusedCall,
    Runtime,
    RuntimeClosed,
    Sandbox,
    ToolCall,
    ToolFailed,
    ToolInput,
    interaction_worker,
    tool,
)


@tool
async def divide(a: int, b: int) -> float:
    """Divide; by nothing, it fails as data."""
    if b == 0:
        raise ToolFailed("DIVISION_BY_ZERO", "The second number must not be 0.")
    return a / b


@tool
async def lie() -> int:
    """Return something else than promised."""
    return "seven"  # type: ignore[return-value]


@tool
async def crash() -> str:
    """Raise an exception of one's own."""
    raise KeyError("no such thing")


@tool
async def wait_for_ever() -> str:
    """Wait for what never comes."""
    await asyncio.Event().wait()
    return "it came"


async def call(runtime: Runtime, name: str, *, timeout: float | None = None, **arguments: JsonValue) -> str:
    """Make one call and say how it ended."""
    given: JsonObject = {**arguments}
    tool_call = ToolCall(id="c1", name=name, arguments=given)
    try:
        result = await runtime.invoke(ACT_TOOL, ToolInput(call=tool_call), timeout=timeout)
    except RefusedCall as refusal:  # nothing has run
        return f"{type(refusal).__name__}: {refusal}"
    except (CallTimeout, RuntimeClosed) as error:
        return f"{type(error).__name__}, {'it may have run' if error.started else 'nothing has run'}: {error}"
    except DittoError as error:  # such as InvalidResult: it has run
        return f"{type(error).__name__}: {error}"
    except Exception as error:  # what the tool itself raised passes unchanged
        return f"{type(error).__name__} of the tool: {error}"
    if result.error:
        return f"{result.status} as data: {result.error.code}: {result.error.message}"
    return f"{result.status}: {result.structured_content}"


async def main() -> None:
    """Let calls end in every way."""
    worker = interaction_worker(tools=[divide, lie, crash, wait_for_ever], concurrency=1)
    runtime = Runtime(workers=[worker], sandbox=Sandbox(tools=["divide", "lie", "crash", "wait_for_ever", "unknown"]))
    async with runtime:
        print(await call(runtime, "divide", a=6, b=4))
        print(await call(runtime, "divide", a=6, b=0))
        print(await call(runtime, "divide", a=6, b="4"))
        print(await call(runtime, "unknown"))
        print(await call(runtime, "delete_everything"))
        print(await call(runtime, "lie"))
        print(await call(runtime, "crash"))
        print(await call(runtime, "wait_for_ever", timeout=0.05))

        running = asyncio.create_task(call(runtime, "wait_for_ever"))
        await asyncio.sleep(0)  # it begins, and has the one slot
        print("waiting:", await call(runtime, "divide", timeout=0.05, a=1, b=1))
        waiting = asyncio.create_task(call(runtime, "divide", a=1, b=1))
        await asyncio.sleep(0)
        await runtime.aclose(timeout=0.05)
        print("running at the end:", await running)
        print("waiting at the end:", await waiting)
        print("after the end:", await call(runtime, "divide", a=1, b=1))


if __name__ == "__main__":
    asyncio.run(main())
