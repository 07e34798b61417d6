"""One runtime for all tenants, and for each request a sandbox that permits what its tenant may do."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from ditto_core import (
    ACT_TOOL,
    DittoError,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    interaction_worker,
    tool,
)

TENANTS = {"red": {"read_note", "take_note"}, "blue": {"read_note"}}


@tool(effects={"read"})
async def read_note(name: str, context: ToolContext) -> str:
    """Read a note."""
    return await context.sandbox.read_text(name)


@tool(effects={"write"})
async def take_note(name: str, text: str, context: ToolContext) -> str:
    """Write a note."""
    await context.sandbox.write_text(name, text)
    return "noted"


async def serve(runtime: Runtime, tenant: str, call: ToolCall) -> str:
    """Answer a request of a tenant; who that is comes from the application's log-in, never from a model."""
    tools = TENANTS[tenant]
    sandbox = runtime.services.sandbox.narrow(workspace=tenant, tools=tools, write="take_note" in tools)
    try:
        return str((await runtime.invoke(ACT_TOOL, ToolInput(call=call), sandbox=sandbox)).content)
    except DittoError as error:
        return f"{type(error).__name__}: {error}"


async def main(folder: str) -> None:
    """Serve some requests."""
    everything = Sandbox(folder, tools=["read_note", "take_note"], read=True, write=True)
    note = ToolCall(id="c1", name="take_note", arguments={"name": "a.txt", "text": "red's"})
    look = ToolCall(id="c2", name="read_note", arguments={"name": "a.txt"})
    peep = ToolCall(id="c3", name="read_note", arguments={"name": "../red/a.txt"})
    async with Runtime(workers=[interaction_worker(tools=[read_note, take_note])], sandbox=everything) as runtime:
        for tenant, call in (("red", note), ("red", look), ("blue", look), ("blue", peep), ("blue", note)):
            print(f"{tenant}, {call.name}:", await serve(runtime, tenant, call))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as workspace:
        for tenant in TENANTS:
            Path(workspace, tenant).mkdir()
        asyncio.run(main(workspace))
