"""Plain functions as tools: each call runs in a thread of the runtime, so it may block and the event loop goes on."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from ditto_core import (
    ACT_TOOL,
    EventEmitted,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    interaction_worker,
    tool,
)

DOOR = threading.Event()


@tool
def wait_at_door() -> str:
    """Block until somebody else opens the door."""
    return "it was opened" if DOOR.wait(timeout=10) else "nobody came"


@tool
async def open_door() -> str:
    """Open the door, on the event loop."""
    DOOR.set()
    return "opened"


@tool(effects={"read"})
def first_word(path: str, context: ToolContext) -> str:
    """Do something asynchronous from a thread: `context.wait` waits for the event loop to do it."""
    text = context.wait(context.sandbox.read_text(path))
    context.emit({"read": path})
    return text.split()[0].strip('"')


def tell(event: EventEmitted) -> None:
    """Hear what calls emit."""
    print(event.call_id, event.event)


async def main() -> None:
    """Call the blocked one and, while it waits, the one that ends its wait."""
    worker = interaction_worker(tools=[wait_at_door, open_door, first_word])
    sandbox = Sandbox(Path(__file__).parent, tools=["*"], read=True)
    async with Runtime(workers=[worker], sandbox=sandbox, threads=4, on_event=tell) as runtime:

        async def call(name: str, **arguments: str) -> object:
            tool_call = ToolCall(id=f"call-{name}", name=name, arguments={**arguments})
            return (await runtime.invoke(ACT_TOOL, ToolInput(call=tool_call))).content

        print(await asyncio.gather(call("wait_at_door"), call("open_door")))
        print(await call("first_word", path="plain_functions.py"))


if __name__ == "__main__":
    asyncio.run(main())
