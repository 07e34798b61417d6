"""How much runs at once: the limit of a run, the slots of a worker, replicas, and very many callers."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest

from ditto_core import Runtime, ToolContext, Worker, WorkerBusy
from tests.support import run
from tests.support.jobs import JOB, OTHER, Job, Jobs, Run, jobs_graph
from tests.support.tools import settle

NAMES = [f"n{n}" for n in range(12)]


async def _drive(jobs: Jobs, *tasks: asyncio.Task[Any]) -> None:
    """End whatever runs, the oldest first, until the tasks have ended."""
    await settle()
    while not all(task.done() for task in tasks):
        jobs.end(next(iter(jobs.running)))
        await settle()


@pytest.mark.parametrize(
    ("of_run", "of_worker", "peak"), [(None, None, 12), (3, None, 3), (None, 4, 4), (3, 4, 3), (4, 3, 3), (1, 4, 1)]
)
@pytest.mark.promise("D-GRAPH-09", "COMP-08")
def test_no_more_nodes_run_at_once_than_the_run_and_the_worker_allow(
    of_run: int | None, of_worker: int | None, peak: int
) -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=of_worker)])
        running = asyncio.create_task(runtime.run(jobs_graph(*NAMES), Run(), concurrency=of_run))
        await settle()
        assert len(jobs.running) == peak
        await _drive(jobs, running)
        assert (jobs.peak, jobs.begun, len(await running)) == (peak, NAMES, 12)

    run(scenario())


@pytest.mark.promise("COMP-08")
def test_the_limit_of_a_run_is_its_own_and_the_slots_are_everybodys() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=3)])
        graphs = [jobs_graph(*[f"{which}{n}" for n in range(6)], name=which) for which in "gh"]
        runs = [asyncio.create_task(runtime.run(graph, Run(), concurrency=2)) for graph in graphs]
        await settle()
        assert Counter(name[0] for name in jobs.running) in ({"g": 2, "h": 1}, {"g": 1, "h": 2})
        await _drive(jobs, *runs)
        assert jobs.peak == 3
        assert [len(await one) for one in runs] == [6, 6]

    run(scenario())


@pytest.mark.promise("D-WRK-08", "LIFE-03")
def test_the_nodes_of_a_run_spread_over_replicas_by_who_has_the_fewest() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        worker = jobs.worker(concurrency=2)
        runtime = Runtime(workers=[worker] * 3)
        running = asyncio.create_task(runtime.run(jobs_graph(*NAMES), Run()))
        await settle()
        addresses = Counter(jobs.contexts[name].worker for name in jobs.running)
        assert sorted(addresses.values()) == [2, 2, 2]
        assert sorted(len(registration.calls) for registration in runtime._registrations) == [4, 4, 4]
        await _drive(jobs, running)
        assert jobs.peak == 6

    run(scenario())


@pytest.mark.promise("D-WRK-09")
def test_a_pinned_call_goes_to_its_replica_however_busy_it_is() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime()
        first, second = (runtime.register(jobs.worker(concurrency=2)) for _ in range(2))
        pinned = [asyncio.create_task(runtime.invoke(JOB, Job(name=name), worker=first)) for name in "abc"]
        await settle()
        running = asyncio.create_task(runtime.run(jobs_graph("d", "e", "f"), Run()))
        await settle()
        assert {name: jobs.contexts[name].worker for name in jobs.running} == {
            "a": first.address,
            "b": first.address,
            "d": second.address,
            "e": second.address,
        }
        await _drive(jobs, running, *pinned)
        assert jobs.contexts["c"].worker == first.address

    run(scenario())


@pytest.mark.promise("D-WRK-06")
def test_a_run_that_is_too_wide_for_the_line_says_so_and_a_limit_helps() -> None:
    async def scenario() -> None:
        jobs = Jobs()
        runtime = Runtime(workers=[jobs.worker(concurrency=1, max_waiting=2)])
        running = asyncio.create_task(runtime.run(jobs_graph(*NAMES[:4]), Run()))
        await settle()
        jobs.end("n0")
        with pytest.raises(WorkerBusy, match="2 calls are waiting already"):
            await running
        running = asyncio.create_task(runtime.run(jobs_graph(*NAMES), Run(), concurrency=3))
        await _drive(jobs, running)
        assert len(await running) == 12

    run(scenario())


@pytest.mark.promise("D-WRK-03", "D-WRK-06")
@pytest.mark.case("ASYNC-02", "ASYNC-08")
def test_ten_thousand_callers_wait_and_leave_at_random_and_none_is_lost() -> None:
    async def scenario() -> None:
        rng = random.Random(51)
        running: dict[int, asyncio.Future[None]] = {}
        order: list[int] = []

        async def do(input: Job, context: ToolContext) -> str:
            number = int(input.name)
            order.append(number)
            running[number] = asyncio.get_running_loop().create_future()
            assert len(running) <= 4
            try:
                await running[number]
            finally:
                del running[number]
            return input.name

        runtime = Runtime(workers=[Worker("U", [OTHER.define("U", do)], concurrency=4, max_waiting=9_996)])
        calls = [asyncio.create_task(runtime.invoke(OTHER, Job(name=str(n)))) for n in range(10_000)]
        await asyncio.sleep(0)
        with pytest.raises(WorkerBusy):
            await runtime.invoke(OTHER, Job(name="10000"))
        leaving = rng.sample(range(10_000), 9_000)
        cancelled = set(leaving)
        while any(not call.done() for call in calls):
            for number in list(running):
                if rng.random() < 0.5:
                    running[number].set_result(None)
            for _ in range(min(len(leaving), rng.randrange(20))):
                calls[leaving.pop()].cancel()
            await asyncio.sleep(0)
        assert order == sorted(order)
        for number, call in enumerate(calls):
            if call.cancelled():
                assert number in cancelled
            else:
                assert call.result() == str(number)
        fresh = [asyncio.create_task(runtime.invoke(OTHER, Job(name=str(n)))) for n in range(10_000, 10_005)]
        await settle()
        assert sorted(running) == list(range(10_000, 10_004))
        running[10_000].set_result(None)
        await settle()
        for future in running.values():
            future.set_result(None)
        await asyncio.gather(*fresh)

    run(scenario(), timeout=60)
