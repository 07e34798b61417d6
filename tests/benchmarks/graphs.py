"""Graphs: what a node costs beside a call of the runtime, and many nodes at once."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from ditto_core import ACT_TOOL, Graph, Node, Runtime, Step, ToolContext, ToolInput, Worker, interaction_worker

from .calls import ALLOWED, AT_A_TIME, MANY, asked, begin_by_hand, gathered, registry
from .harness import FLOOR, Effort, Row, Work, in_turns, row

NODES: Final = 100
NOTHING: Final[Node[int, int]] = Node("BENCHMARK.NOTHING", int, int)


async def nothing(input: int, context: ToolContext) -> int:
    """Do nothing."""
    return input


async def per_node(effort: Effort) -> list[Row]:
    """Measure nodes that do nothing, side by side and one after the other."""
    beside, behind = Graph("beside", int), Graph("behind", int)
    last: tuple[Step[int], ...] = ()
    for index in range(NODES):
        beside.add(f"node-{index}", NOTHING, lambda number: number)
        last = (behind.add(f"node-{index}", NOTHING, lambda number, *_: number, after=last),)
    async with Runtime(workers=[Worker("BENCHMARK", [NOTHING.define("BENCHMARK", nothing)])]) as runtime:

        async def one_by_one(times: int) -> None:
            for _ in range(times * NODES):
                await runtime.invoke(NOTHING, 1)

        cases = {f"a graph of {NODES} independent nodes": beside, f"a graph of {NODES} chained nodes": behind}
        runs = {case: _runs(runtime, graph, 1) for case, graph in cases.items()}
        samples = await in_turns({FLOOR: one_by_one, **runs}, effort)
    floor = "the same with Runtime.invoke"
    return [row(samples, case, floor=floor, budget=3, goal=2, operations=NODES) for case in cases]


async def at_once(effort: Effort) -> list[Row]:
    """Measure a thousand calls of a tool as the nodes of one graph."""
    graph = _calls()
    async with Runtime(workers=[interaction_worker(tools=registry())], sandbox=ALLOWED) as runtime:
        case = f"{MANY:,} calls at once, in a graph"
        samples = await in_turns({FLOOR: gathered(begin_by_hand), case: _runs(runtime, graph, None)}, effort)
    return [row(samples, case, floor="the same with the floor", budget=3, goal=2, operations=MANY)]


async def few_at_a_time(effort: Effort) -> list[Row]:
    """Measure the same graph when eight of its nodes may run at a time."""
    graph = _calls()
    gate = asyncio.Semaphore(AT_A_TIME)

    async def gated() -> Any:
        async with gate:
            return await begin_by_hand()

    async with Runtime(workers=[interaction_worker(tools=registry())], sandbox=ALLOWED) as runtime:
        case = f"{MANY:,} calls, {AT_A_TIME} at a time, in a graph"
        samples = await in_turns({FLOOR: gathered(gated), case: _runs(runtime, graph, None, AT_A_TIME)}, effort)
    return [row(samples, case, floor="the same with the floor and a Semaphore", budget=2.3, goal=1.7, operations=MANY)]


def _calls() -> Graph[Any]:
    graph: Graph[Any] = Graph("calls", object)
    for number in range(MANY):
        graph.add(f"call-{number}", ACT_TOOL, lambda _: ToolInput(call=asked("add_later")))
    return graph


def _runs(runtime: Runtime, graph: Graph[Any], input: Any, concurrency: int | None = None) -> Work:
    async def work(times: int) -> None:
        for _ in range(times):
            await runtime.run(graph, input, concurrency=concurrency)

    return work
