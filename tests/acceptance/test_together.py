"""Two runs of one task that no lock keeps apart, as on two machines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from ditto_context import ContextError, RedisContextStore, context_worker
from ditto_core import PluginHost, Runtime, Sandbox, interaction_worker
from ditto_infer import infer_worker
from ditto_memory import SqliteMemory, memory_worker
from ditto_openai import OpenAIModel
from order_observer import Checkpoint, CheckpointConflict, NotAdmitted, Options, Report, ResultTools
from order_observer.workflows import errors
from tests.acceptance.conftest import MakeTask
from tests.acceptance.task import Task


def test_two_runs_at_once(make_task: MakeTask, final: Callable[[str], None]) -> None:
    """Without the lock, as on two machines: what is kept and committed once decides, and nothing is done twice."""
    task = make_task("errors", "transient")
    first = task.run(options=Options(stop_after="decision"))
    assert first == Checkpoint(stage="decision")

    async def both() -> list[Any]:
        runs = [_unlocked(task) for _ in range(2)]
        return await asyncio.gather(*runs, return_exceptions=True)

    outcomes = asyncio.run(both())
    late = (Report, ContextError, CheckpointConflict, NotAdmitted)  # what the slower one may find
    assert all(isinstance(one, late) for one in outcomes)
    assert task.fixture.order().retries == 1
    report = task.run()
    assert isinstance(report, Report)
    assert report.state == "completed"
    assert len(task.store.events()) == 2
    reports = [one.to_json() for one in outcomes if isinstance(one, Report)]
    assert all(one == report.to_json() for one in reports)
    names = sorted(type(one).__name__ for one in outcomes)
    final(f"{report.mode}: {report.state}; the two runs ended with {names}")


async def _unlocked(task: Task) -> Report | Checkpoint:
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(task.redis.client())
        host = PluginHost()
        host.register(ResultTools(directory=task.directory, request=task.request, deadline=task.settings.deadline))
        await stack.enter_async_context(host)
        model = OpenAIModel(task.settings.endpoint)
        workers = [
            context_worker(store=RedisContextStore(client)),
            memory_worker(SqliteMemory(task.directory / "memory.sqlite")),
            infer_worker({"model": model}),
            interaction_worker(tools=host.tools),
        ]
        sandbox = Sandbox(task.directory, tools=["*"], network=["*"], write=True)
        runtime = await stack.enter_async_context(Runtime(workers=workers, sandbox=sandbox))
        return await errors.run(runtime, request=task.request, model=task.settings.choice)
