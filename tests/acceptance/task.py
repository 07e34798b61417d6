"""One task of the acceptance tests: a folder, the service, the model's server and Redis, all of them real.

What a run does is seen from outside: at the service, at the model's server, in the databases, and at the one method
of the runtime that the application uses.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs

from ditto_core import Graph, Outputs, Runtime
from order_observer import Checkpoint, Options, Report, verify_observation
from order_observer.application import Settings, open_runtime
from order_observer.fixture import Fixture, create_fixture
from order_observer.request import Mode, Request, Scenario
from order_observer.tools import TaskStore
from order_observer.workflows import errors, interpret, normalize, read, state
from tests.support.model_server import ModelServer
from tests.support.redis_server import RedisServer

ENTRIES = {"read": read, "normalize": normalize, "errors": errors, "state": state, "interpret": interpret}
PATIENCE = 60.0
"""How many seconds a run may take here."""
GENEROUS = 20.0
"""The deadline of a request to the service that is meant to be answered: a busy machine is slow."""
SHORT = 1.0
"""The deadline of one that is not."""

AfterStep = Callable[[str, int], None]
"""Is told the name of a graph that has run, and how many have."""


@attrs.define
class Watched:
    """A runtime, seen through the one method that the application uses."""

    runtime: Runtime
    after: AfterStep
    nodes: list[str]
    steps: int = 0

    async def run(self, graph: Graph[Any], input: Any, /) -> Outputs:
        outputs = await self.runtime.run(graph, input)
        self.nodes += [f"{graph.name}.{id}" for id in outputs]
        self.steps += 1
        self.after(graph.name, self.steps)
        return outputs


async def run_task(
    directory: Path,
    request: Request,
    settings: Settings,
    *,
    options: Options | None = None,
    after: AfterStep = lambda name, count: None,
    nodes: list[str] | None = None,
) -> Report | Checkpoint:
    """Open everything, run the workflow of the request's mode, and close everything."""
    async with open_runtime(directory, request, settings) as runtime:
        watched = Watched(runtime, after, [] if nodes is None else nodes)
        entry = ENTRIES[request.mode]
        return await entry.run(watched, request=request, model=settings.choice, options=options)


@attrs.define(eq=False)
class Task:
    """A task and its surroundings."""

    directory: Path
    fixture: Fixture
    model: ModelServer
    redis: RedisServer
    settings: Settings
    nodes: list[str] = attrs.field(factory=list)

    @classmethod
    def create(
        cls, directory: Path, mode: Mode, scenario: Scenario, *, model: ModelServer, redis: RedisServer
    ) -> Task:
        """Make a task that waits for its first run."""
        fixture = create_fixture(directory, mode, scenario, delay=PATIENCE)
        deadline = SHORT if scenario == "timeout" else GENEROUS
        settings = Settings(
            model="rules", endpoint=model.url, redis=redis.url, deadline=deadline, busy_timeout=GENEROUS
        )
        return cls(directory, fixture, model, redis, settings)

    @property
    def request(self) -> Request:
        return self.fixture.request

    @property
    def store(self) -> TaskStore:
        return TaskStore(self.directory / "tasks.sqlite", self.request.id)

    @property
    def artifact(self) -> Path:
        return self.directory / "artifacts/result.json"

    def run(self, **how: Any) -> Report | Checkpoint:
        """Run the task in this process, with everything opened anew."""
        request = how.pop("request", self.request)
        settings = how.pop("settings", self.settings)

        async def bounded() -> Report | Checkpoint:
            async with asyncio.timeout(PATIENCE):
                return await run_task(self.directory, request, settings, nodes=self.nodes, **how)

        return asyncio.run(bounded())

    def expire_context(self) -> None:
        """Let everything that Redis holds be gone."""

        async def flush() -> None:
            async with self.redis.client() as client:
                await client.flushall()

        asyncio.run(flush())

    def memories(self) -> list[str]:
        """Return the keys of what is kept, without the task's own part."""
        with closing(sqlite3.connect(self.directory / "memory.sqlite")) as db:
            keys = [key for (key,) in db.execute("SELECT memory_key FROM memories ORDER BY rowid")]
        return [key.rpartition(":")[2] for key in keys]

    def asked(self) -> list[str]:
        """Return the requests that the service took."""
        return self.fixture.orders.requests()


NODES = {
    "recall.get",
    "remember.write",
    "load-context.load",
    "update-context.update",
    "act-and-observe._result",
    "act-and-observe._observation",
    "interpret._context",
    "interpret._sample",
    "act._acted",
}
"""The nodes that a task passes: those of MEMORY, CONTEXT, INFER and INTERACTION."""


def settled(
    task: Task,
    report: Report | Checkpoint,
    *,
    state: str,
    kinds: list[str],
    asked: list[str],
    model_calls: int | None = None,
) -> str:
    """Hold the end of a task against everything that can be known of it, and return one line that says what it was.

    `kinds` are the error kinds of the rounds, `asked` the requests to the service over all runs.
    """
    assert isinstance(report, Report)
    rounds = len(kinds)
    calls = rounds if model_calls is None else model_calls
    assert (report.task_id, report.mode, report.state) == (task.request.id, task.request.mode, state)
    assert report.verified is True
    assert [one.decision.error_kind for one in report.rounds] == kinds
    assert len(task.model.requests) == calls
    assert task.asked() == asked
    for one in report.rounds:
        verify_observation(one.result, one.observation)

    order = task.fixture.order()
    if state == "completed":
        assert report.rounds[-1].decision.total_cents == order.quantity * order.unit_cents
        assert order.status == "completed"
    else:
        assert [one.decision.total_cents for one in report.rounds] == [None] * rounds
    assert order.retries == ("POST /retry" in asked)

    events = task.store.events()
    assert [event.round for event in events] == list(range(rounds))
    assert (task.store.task().state, task.store.task().version) == (state, rounds)
    assert json.loads(task.artifact.read_text(encoding="utf-8")) == report.to_json()
    assert [path.name for path in task.artifact.parent.iterdir()] == ["result.json"]
    stages = [f"{stage}-{round}" for round in range(rounds) for stage in ("observed", "decision")]
    assert task.memories() == ["input", *stages, "report"]
    assert set(task.nodes) <= NODES

    task.expire_context()
    again = task.run()
    assert isinstance(again, Report)
    assert again.to_json() == report.to_json()
    assert (len(task.model.requests), task.asked()) == (calls, asked)
    return f"{task.request.mode}/{task.request.scenario}: {state}, {rounds} rounds, {calls} model calls, {asked}"
