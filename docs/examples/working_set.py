"""A worker of one's own that keeps what was observed and refuses what is no success."""

from __future__ import annotations

import asyncio

import attrs

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    ExternalResult,
    Graph,
    JsonObject,
    MessageContent,
    Node,
    Observation,
    ObserveInput,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolInput,
    Worker,
    interaction_worker,
    tool,
)


@tool
async def weather(city: str) -> str:
    """Tell the weather."""
    if city == "Atlantis":
        raise ToolFailed("NO_SUCH_CITY", "There is no such city.")
    return f"{city}: sunny"


@attrs.frozen(kw_only=True)
class Item:
    """What is kept, and where it comes from."""

    id: str
    source_node: str
    content: MessageContent
    metadata: JsonObject


class NotKept(Exception):
    """An observation was no success."""


KEEP: Node[Observation, Item] = Node("WORKING_SET.KEEP", Observation, Item)


async def keep(observation: Observation, context: ToolContext) -> Item:
    """Handle the node. The resources are a dict here, and could be a connection to a database."""
    if observation.status != "success":
        raise NotKept(observation.error.code if observation.error else observation.status)
    item = Item(
        id=f"observation:{observation.call_id}",
        source_node=OBSERVE.type,
        content=observation.message.content,
        metadata={"callId": observation.call_id, "source": observation.source, "status": observation.status},
    )
    context.resources[item.id] = item
    return item


graph = Graph("act-and-keep", ToolCall)


@graph.node(ACT_TOOL)
def act(call: ToolCall) -> ToolInput:
    """Make the call."""
    return ToolInput(call=call)


@graph.node(OBSERVE, act)
def observe(_: ToolCall, result: ExternalResult) -> ObserveInput:
    """Observe what came of it."""
    return ObserveInput(result=result)


@graph.node(KEEP, observe)
def kept(_: ToolCall, observation: Observation) -> Observation:
    """Keep the observation as it is."""
    return observation


async def main() -> None:
    """Keep what comes of some calls."""
    items: dict[str, Item] = {}
    working_set = Worker("WORKING_SET", [KEEP.define("WORKING_SET", keep)], resources=lambda: items)
    workers = [interaction_worker(tools=[weather]), working_set]
    async with Runtime(workers=workers, sandbox=Sandbox(tools=["weather"])) as runtime:
        for number, city in enumerate(("Rome", "Atlantis")):
            try:
                await runtime.run(graph, ToolCall(id=f"w{number}", name="weather", arguments={"city": city}))
            except NotKept as refusal:
                print("not kept:", refusal)
    for item in items.values():
        print(item)


if __name__ == "__main__":
    asyncio.run(main())
