"""What an application can put around a tool that somebody else wrote."""

from __future__ import annotations

import asyncio

from ditto_core import (
    ACT_TOOL,
    JsonObject,
    PermissionDenied,
    Runtime,
    Sandbox,
    ToolCall,
    ToolDefinition,
    ToolInput,
    interaction_worker,
    tool,
    with_approval,
    with_output_limit,
    with_prefix,
    with_timeout,
)


@tool
async def poem(lines: int) -> str:
    """Write a poem."""
    return " ".join(["A rose is a rose."] * lines)


@tool
async def wait_for_ever() -> str:
    """Wait for what never comes."""
    await asyncio.Event().wait()
    return "it came"


@tool(effects={"write"})
async def delete(what: str) -> str:
    """Delete something."""
    return f"{what} is gone"


async def approve(definition: ToolDefinition, arguments: object) -> bool:
    """Say yes or no; a real application asks a person. `arguments` are what the tool is going to receive."""
    return getattr(arguments, "what", "") != "everything"


TOOLS = [
    with_prefix(poem, "acme_"),
    with_output_limit(poem, 40),
    with_timeout(wait_for_ever, 0.05),
    with_approval(delete, approve),
]


async def main() -> None:
    """Call each of them."""
    async with Runtime(workers=[interaction_worker(tools=TOOLS)], sandbox=Sandbox(tools=["*"])) as runtime:

        async def show(name: str, **arguments: str | int) -> None:
            given: JsonObject = {**arguments}
            try:
                result = await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="c1", name=name, arguments=given)))
            except PermissionDenied as refusal:
                print(refusal)
            else:
                said = result.error.message if result.error else result.content
                print(f"{name}: {result.status}: {said} ({result.metadata or 'no metadata'})")

        await show("acme_poem", lines=1)
        await show("poem", lines=3)
        await show("wait_for_ever")
        await show("delete", what="a file")
        await show("delete", what="everything")


if __name__ == "__main__":
    asyncio.run(main())
