"""Read two files, one after the other, and deliver each: a graph of three nodes, and a loop around it."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import attrs

from ditto_console import ConsoleSink
from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    ExternalResult,
    FileMissing,
    Graph,
    Loop,
    Message,
    Observation,
    ObserveInput,
    OutputRequest,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolInput,
    interaction_worker,
    tool,
)

PATHS = ("monday.txt", "tuesday.txt")


@tool(effects={"read"})
async def read_text(path: str, context: ToolContext) -> str:
    """Read a text file of the workspace."""
    try:
        return await context.sandbox.read_text(path)
    except FileMissing:
        raise ToolFailed("NO_SUCH_FILE", "There is no such file.") from None


@attrs.frozen(kw_only=True)
class Reading:
    """What one run of the graph is given: data, never a client or a key."""

    path: str
    id: str


graph = Graph("read-and-deliver", Reading)


@graph.node(ACT_TOOL)
def read(reading: Reading) -> ToolInput:
    """Read the file."""
    return ToolInput(call=ToolCall(id=reading.id, name="read_text", arguments={"path": reading.path}))


@graph.node(OBSERVE, read)
def observe(_: Reading, result: ExternalResult) -> ObserveInput:
    """Observe what came of it."""
    return ObserveInput(result=result)


@graph.node(OUTPUT, observe)
def output(reading: Reading, observation: Observation) -> OutputRequest:
    """Deliver a success, and nothing else."""
    if observation.status != "success":
        raise RuntimeError(observation.error.code if observation.error else observation.status)
    message = Message(role="assistant", content=observation.message.content)
    return OutputRequest(delivery_id=f"{reading.id}:delivery", message=message)


loop: Loop[int] = Loop(
    graph,
    bind=lambda index: Reading(path=PATHS[index], id=f"read:{index}"),
    update=lambda index, outputs: index + 1,
    done=lambda index: index == len(PATHS),
    max_iterations=len(PATHS),
)


async def main(folder: Path) -> None:
    """Loop over the files, then run the graph alone, for a file that is not there."""
    sandbox = Sandbox(folder, tools=["read_text"], read=True)
    worker = interaction_worker(tools=[read_text], output=ConsoleSink())
    async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
        state = await runtime.loop(loop, 0)
        print("the last state is", state)
        try:
            await runtime.run(graph, Reading(path="sunday.txt", id="read:sunday"))
        except RuntimeError as error:
            print("nothing was delivered:", error, error.__notes__)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as workspace:
        for name in PATHS:
            Path(workspace, name).write_text(f"what happened on {name[:-4]}", encoding="utf-8")
        asyncio.run(main(Path(workspace)))
