"""The tools of a task called by themselves."""

from __future__ import annotations

import asyncio
from typing import Any

from ditto_core import (
    ACT_TOOL,
    JsonObject,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    to_wire,
)
from order_observer import (
    Report,
    ResultTools,
)
from tests.acceptance.task import Task


def call(task: Task, name: str, id: str, **arguments: Any) -> JsonObject:
    """Call one tool of the task."""

    async def main() -> JsonObject:
        host = PluginHost()
        host.register(ResultTools(directory=task.directory, request=task.request, deadline=20))
        sandbox = Sandbox(task.directory, tools=["*"], network=[task.request.origin], write=True)
        async with host, Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=sandbox) as runtime:
            asked = ToolCall(id=id, name=name, arguments=arguments)
            result = to_wire(await runtime.invoke(ACT_TOOL, ToolInput(call=asked), timeout=30))
            assert type(result) is dict
            return result

    return asyncio.run(main())


def finished(task: Task) -> tuple[JsonObject, JsonObject]:
    """Run the task to its end; give the first round's result and decision."""
    report = task.run()
    assert isinstance(report, Report)
    wire: Any = report.to_json()
    return wire["rounds"][0]["result"], wire["rounds"][0]["decision"]
