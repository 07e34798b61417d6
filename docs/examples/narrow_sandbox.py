"""A narrower sandbox for one call: each tenant of an application may write into its own folder only."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from ditto_core import (
    ACT_TOOL,
    PermissionDenied,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    interaction_worker,
    tool,
)


@tool(effects={"write"})
async def take_note(path: str, text: str, context: ToolContext) -> str:
    """Write a note."""
    await context.sandbox.write_text(path, text)
    return f"{len(text)} characters written"


async def main(folder: str) -> None:
    """Write for one tenant, then try what that tenant may not do."""
    everything = Sandbox(folder, tools=["take_note"], read=True, write=True)
    red = everything.narrow(workspace="red")
    red_reader = red.narrow(write=False)

    async with Runtime(workers=[interaction_worker(tools=[take_note])], sandbox=everything) as runtime:

        async def show(path: str, sandbox: Sandbox) -> None:
            call = ToolCall(id="c1", name="take_note", arguments={"path": path, "text": "hello"})
            try:
                result = await runtime.invoke(ACT_TOOL, ToolInput(call=call), sandbox=sandbox)
            except PermissionDenied as refusal:
                print(refusal)
            else:
                print(result.content)

        await show("note.txt", red)
        await show("../blue/note.txt", red)
        await show("note.txt", red_reader)
        await show("note.txt", Sandbox("/", tools=["*"], write=True))  # wider than the runtime's

    print(await everything.list_files())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as workspace:
        Path(workspace, "red").mkdir()
        Path(workspace, "blue").mkdir()
        asyncio.run(main(workspace))
