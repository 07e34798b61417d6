"""Many calls of one kind, made from data, a few at a time; the answers stay in the order of the data."""

from __future__ import annotations

import asyncio

from ditto_core import (
    ACT_TOOL,
    Graph,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    tool,
)

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus")
at_once: list[int] = []
running: set[str] = set()


@tool
async def greet(word: str, name: str) -> str:
    """Greet somebody, and take note of how many are being greeted."""
    running.add(name)
    at_once.append(len(running))
    await asyncio.sleep(0.001)
    running.remove(name)
    return f"{word} {name}"


graph = Graph("greetings", str)
steps = [
    graph.add(
        name,
        ACT_TOOL,
        lambda word, *, name=name: ToolInput(
            call=ToolCall(id=f"greet:{name}", name="greet", arguments={"word": word, "name": name})
        ),
    )
    for name in NAMES
]


async def main() -> None:
    """Greet all of them, three at a time."""
    async with Runtime(workers=[interaction_worker(tools=[greet])], sandbox=Sandbox(tools=["greet"])) as runtime:
        outputs = await runtime.run(graph, "Hello", concurrency=3)
    print(*(outputs[step].content for step in steps), sep="\n")
    print("at once:", max(at_once))


if __name__ == "__main__":
    asyncio.run(main())
