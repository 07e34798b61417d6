"""A worker whose handlers end as the test says, for graphs, loops and slots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import attrs

from ditto_core import Graph, Node, Step, ToolContext, Worker


@attrs.frozen
class Run:
    """What the graphs of these tests are given."""

    text: str = ""


@attrs.frozen(kw_only=True)
class Job:
    """What the node of these tests is given: a name, and what the jobs before it gave."""

    name: str
    given: tuple[str, ...] = ()


JOB: Node[Job, str] = Node("T.JOB", Job, str)
HIDDEN: Node[Job, str] = Node("T.HIDDEN", Job, str)
OTHER: Node[Job, str] = Node("U.JOB", Job, str)


class Jobs:
    """The handler of a node: each job waits until the test ends it, and what happens is written down in order."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.running: dict[str, asyncio.Future[str]] = {}
        self.contexts: dict[str, ToolContext] = {}
        self.inputs: dict[str, Job] = {}
        self.peak = 0
        self.at_once: Callable[[str], bool] = lambda name: False
        """Which jobs end at once with their name, without waiting."""
        self.cleaning: dict[str, asyncio.Future[None]] = {}
        """What jobs of these names wait for once they are cancelled."""
        self.when_cancelled: dict[str, BaseException | str] = {}
        """What jobs of these names raise, or return, in place of their cancellation."""

    async def __call__(self, input: Job, context: ToolContext) -> str:
        name = input.name
        assert name not in self.running
        self.log.append(f"+{name}")
        self.contexts[name] = context
        self.inputs[name] = input
        if self.at_once(name):
            self.log.append(f"-{name}")
            return name
        self.running[name] = asyncio.get_running_loop().create_future()
        self.peak = max(self.peak, len(self.running))
        try:
            answer = await self.running[name]
        except asyncio.CancelledError:
            self.log.append(f"!{name}")
            if name in self.cleaning:
                await self.cleaning[name]
            instead = self.when_cancelled.get(name)
            if isinstance(instead, str):
                return instead
            if instead is not None:
                raise instead from None
            raise
        finally:
            del self.running[name]
            self.log.append(f"-{name}")
        return answer

    def end(self, *names: str) -> None:
        """Let jobs end with their names as outputs."""
        for name in names:
            self.running[name].set_result(name)

    def fail(self, name: str, error: BaseException) -> None:
        """Let a job raise."""
        self.running[name].set_exception(error)

    @property
    def begun(self) -> list[str]:
        """The jobs that have begun, in order."""
        return [line[1:] for line in self.log if line[0] == "+"]

    def worker(self, **options: Any) -> Worker:
        """Return a worker that exposes ``JOB`` and keeps ``HIDDEN`` to itself."""
        nodes = [JOB.define("T", self), HIDDEN.define("T", self)]
        return Worker("T", nodes, expose=[JOB], **options)


def job(name: str) -> Callable[..., Job]:
    """Return a binder that hands on what the steps before gave."""
    return lambda run, *given: Job(name=name, given=given)


def jobs_graph(*names: str, name: str = "g", node: Node[Job, str] = JOB, **after: str) -> Graph[Run]:
    """Return a graph of jobs: ``jobs_graph("a", "b", c="a b")`` has two, and a third that waits for both."""
    graph = Graph(name, Run)
    steps: dict[str, Step[str]] = {}
    for id in (*names, *after):
        steps[id] = graph.add(id, node, job(id), after=[steps[other] for other in after.get(id, "").split()])
    return graph
