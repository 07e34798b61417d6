"""A context that is kept under a scope: begun, added to, and changed by two at once, of whom one is told."""

from __future__ import annotations

import asyncio

from ditto_context import (
    CONTEXT_LOAD,
    CONTEXT_UPDATE,
    ContextError,
    ContextItem,
    ContextLoad,
    ContextScope,
    ContextUpdate,
    InProcessContextStore,
    context_worker,
    ingress_of,
)
from ditto_core import ACT_TOOL, OBSERVE, ObserveInput, Runtime, Sandbox, ToolCall, ToolInput, interaction_worker, tool

SCOPE = ContextScope(session_id="task-1")


@tool
async def price(article: str) -> int:
    """Look up a price."""
    return {"apple": 3, "pear": 5}[article]


async def enter(runtime: Runtime, call: ToolCall) -> None:
    """Call a tool, observe its result, and enter the observation of a success."""
    result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
    observation = await runtime.invoke(OBSERVE, ObserveInput(result=result))
    if observation.status != "success":  # whether failures are entered is for you to say
        raise RuntimeError(observation.error.code if observation.error else observation.status)
    await runtime.invoke(CONTEXT_UPDATE, ContextUpdate(scope=SCOPE, ingress=(ingress_of(observation),)))


async def main() -> None:
    """Begin a context with a goal, enter what a tool found, and try to change a state that is no longer there."""
    workers = [interaction_worker(tools=[price]), context_worker(store=InProcessContextStore())]
    async with Runtime(workers=workers, sandbox=Sandbox(tools=["price"])) as runtime:
        goal = ContextItem(id="goal", content="Buy fruit.", metadata={"currentGoal": True})
        begun = await runtime.invoke(CONTEXT_LOAD, ContextLoad(scope=SCOPE, sources=(goal,)))
        await enter(runtime, ToolCall(id="c1", name="price", arguments={"article": "apple"}))

        now = await runtime.invoke(CONTEXT_LOAD, ContextLoad(scope=SCOPE))
        for item in now.items:
            print(item.id, item.content, item.metadata)

        late = ContextUpdate(scope=SCOPE, expected_version=begun.version, remove_ids=("goal",))
        try:
            await runtime.invoke(CONTEXT_UPDATE, late)
        except ContextError as error:
            print(error.code, error)

        # The same on a context that is passed along: nothing is kept, and what was given stays as it is.
        shorter = await runtime.invoke(CONTEXT_UPDATE, ContextUpdate(context=now, remove_ids=("goal",)))
        print([item.id for item in shorter.items], [item.id for item in now.items])


if __name__ == "__main__":
    asyncio.run(main())
