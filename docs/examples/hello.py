"""A tool, a permission, two calls."""

import asyncio

from ditto_core import ACT_TOOL, Runtime, Sandbox, ToolCall, ToolFailed, ToolInput, interaction_worker, tool


@tool(effects={"read"})
async def price(article: str) -> str:
    """Look up what an article costs."""
    if article != "tea":
        raise ToolFailed("NO_SUCH_ARTICLE", "There is no such article.")
    return "2.50"


async def main() -> None:
    """Permit the tool by its name, and call it twice."""
    worker = interaction_worker(tools=[price])
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["price"])) as runtime:
        for id, article in (("call-1", "tea"), ("call-2", "gold")):
            call = ToolCall(id=id, name="price", arguments={"article": article})
            result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
            said = result.error.message if result.error else result.content
            print(result.call_id, result.source, result.status, said)


asyncio.run(main())
