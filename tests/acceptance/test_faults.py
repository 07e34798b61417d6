"""What the surroundings of a run do wrong: each is an error of its own, and once it is mended the run goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest
import redis
import redis.asyncio

from ditto_context import ContextError
from ditto_core import PluginHost, PluginLoadFailed, Runtime
from order_observer import (
    BudgetExhausted,
    Checkpoint,
    DecisionRejected,
    MemoryUnavailable,
    NotInterpreted,
    Options,
    PublicationFailed,
    RequestChanged,
    TaskBusy,
    TaskStoreUnavailable,
)
from order_observer.application import task_lock
from tests.acceptance.conftest import MakeTask
from tests.acceptance.task import Task, run_task, settled
from tests.support.model_server import Rule, asked_for, late
from tests.support.order_model import cut, decision, prose, refused, wrong

Final = Callable[[str], None]
FIRST = ["GET /result"]


def goes_on(task: Task, final: Final, *, model_calls: int = 1) -> None:
    """Run the task again, now that nothing is wrong, and enter its end into the table."""
    report = task.run()
    final(settled(task, report, state="completed", kinds=["none"], asked=FIRST, model_calls=model_calls))


def renamed(path: Path, one: str, other: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"ALTER TABLE {one} RENAME TO {other}")
        db.commit()


@pytest.mark.promise("UND-27")
def test_redis_unavailable(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    nowhere = attrs.evolve(task.settings, redis=f"unix://{task.directory / 'nowhere'}")
    with pytest.raises(ContextError) as caught:
        task.run(settings=nowhere)
    assert caught.value.code == "STATE_STORE_UNAVAILABLE"
    assert (task.model.requests, task.asked()) == ([], [])
    goes_on(task, final)


@pytest.mark.promise("UND-27")
@pytest.mark.parametrize("graph", ["act-and-observe", "interpret"])
def test_redis_lost_in_the_middle(graph: str, make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")

    def lose(name: str, count: int) -> None:
        if name == graph:
            task.redis.kill()

    with pytest.raises(ContextError) as caught:
        task.run(after=lose)
    assert caught.value.code == "STATE_STORE_UNAVAILABLE"
    task.redis.start()
    goes_on(task, final)


@pytest.mark.promise("UND-26")
@pytest.mark.parametrize("graph", ["load-context", "act-and-observe", "update-context", "interpret"])
def test_context_lost_in_the_middle(graph: str, make_task: MakeTask, final: Final) -> None:
    """The key of this very run expires while it goes on, and is made anew."""
    task = make_task("read", "success")
    at = [graph]

    def lose(name: str, count: int) -> None:
        if name in at:
            at.clear()
            _flush(task)

    final(settled(task, task.run(after=lose), state="completed", kinds=["none"], asked=FIRST))


def _flush(task: Task) -> None:
    with redis.Redis.from_url(task.redis.url) as client:
        client.flushall()


@pytest.mark.promise("UND-11", "UND-27")
def test_memory_unavailable(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    assert task.run(options=Options(stop_after="observed")) == Checkpoint(stage="observed")
    renamed(task.directory / "memory.sqlite", "memories", "elsewhere")
    with closing(sqlite3.connect(task.directory / "memory.sqlite")) as db:
        db.execute("CREATE TABLE memories(id TEXT)")
    with pytest.raises(MemoryUnavailable):
        task.run()
    assert (task.model.requests, task.asked()) == ([], FIRST)
    with closing(sqlite3.connect(task.directory / "memory.sqlite")) as db:
        db.execute("DROP TABLE memories")
    renamed(task.directory / "memory.sqlite", "elsewhere", "memories")
    goes_on(task, final)


def test_memory_locked_in_the_middle(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    impatient = attrs.evolve(task.settings, busy_timeout=0.05)
    with closing(sqlite3.connect(task.directory / "memory.sqlite", isolation_level=None)) as db:

        def lock(name: str, count: int) -> None:
            if name == "interpret":
                db.execute("BEGIN IMMEDIATE")

        with pytest.raises(MemoryUnavailable):
            task.run(after=lock, settings=impatient)
    assert task.memories() == ["input", "observed-0"]
    goes_on(task, final, model_calls=2)


def test_state_db_unavailable(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    assert task.run(options=Options(stop_after="observed")) == Checkpoint(stage="observed")
    tasks = task.directory / "tasks.sqlite"

    def break_it(name: str, count: int) -> None:
        if name == "interpret":
            renamed(tasks, "events", "elsewhere")

    with pytest.raises(TaskStoreUnavailable):
        task.run(after=break_it)
    assert not task.artifact.exists()
    assert task.store.task().state == "pending"
    renamed(tasks, "elsewhere", "events")
    goes_on(task, final)


def test_state_db_locked(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    impatient = attrs.evolve(task.settings, busy_timeout=0.05)
    assert task.run(options=Options(stop_after="decision")) == Checkpoint(stage="decision")
    with closing(sqlite3.connect(task.directory / "tasks.sqlite", isolation_level=None)) as db:

        def lock(name: str, count: int) -> None:
            if count == 1:
                db.execute("BEGIN IMMEDIATE")

        with pytest.raises(TaskStoreUnavailable, match="locked"):
            task.run(after=lock, settings=impatient)
    goes_on(task, final)


def test_state_db_locked_from_the_start(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    task.store.prepare()
    impatient = attrs.evolve(task.settings, busy_timeout=0.05)
    with closing(sqlite3.connect(task.directory / "tasks.sqlite", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(PluginLoadFailed, match="locked") as caught:
            task.run(settings=impatient)
    assert isinstance(caught.value.__cause__, TaskStoreUnavailable)
    assert (task.model.requests, task.asked()) == ([], [])
    goes_on(task, final)


@pytest.mark.promise("UND-06")
def test_cancel_before_work(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")

    async def cancelled() -> None:
        work = asyncio.ensure_future(run_task(task.directory, task.request, task.settings))
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(cancelled())
    assert (task.model.requests, task.asked()) == ([], [])
    goes_on(task, final)


@pytest.mark.promise("UND-06")
def test_cancel_while_the_model_is_asked(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    task.model.once.append(lambda body: late(decision(body)))

    async def cancelled() -> None:
        work = asyncio.ensure_future(run_task(task.directory, task.request, task.settings))
        await asyncio.to_thread(task.model.arrived.wait, 20)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(cancelled())
    assert task.memories() == ["input", "observed-0"]
    assert task.store.task().state == "pending"
    goes_on(task, final, model_calls=2)


def test_publication_retry(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    task.artifact.parent.write_text("in the way", encoding="utf-8")
    with pytest.raises(PublicationFailed):
        task.run()
    assert task.memories()[-1] == "report"
    task.artifact.parent.unlink()
    goes_on(task, final)


WRONG: dict[str, tuple[Rule, type[Exception], str]] = {
    "model-wrong-total": (wrong(totalCents=999_999), DecisionRejected, "totalCents"),
    "model-wrong-action": (wrong(nextAction="retry"), DecisionRejected, "nextAction"),
    "model-wrong-order": (wrong(orderId="ORD-other"), DecisionRejected, "orderId"),
    "model-wrong-call": (wrong(callId="call-other"), DecisionRejected, "callId"),
    "model-wrong-state": (wrong(remoteState="unknown"), DecisionRejected, "remoteState"),
    "model-wrong-kind": (wrong(errorKind="transient"), DecisionRejected, "errorKind"),
    "model-total-as-text": (wrong(totalCents="747"), DecisionRejected, "totalCents"),
    "model-leaves-out": (wrong(reason=...), DecisionRejected, "reason"),
    "model-invents-a-field": (wrong(confidence=1), DecisionRejected, "confidence"),
    "model-gives-no-reason": (wrong(reason=" "), DecisionRejected, "reason"),
    "model-writes-prose": (prose, DecisionRejected, "no JSON"),
    "model-is-cut": (cut, NotInterpreted, "length"),
    "model-is-down": (refused, NotInterpreted, "PROVIDER_HTTP_ERROR"),
}


@pytest.mark.parametrize("fault", WRONG)
@pytest.mark.promise("UND-11", "UND-12", "UND-14", "UND-25")
def test_model(fault: str, make_task: MakeTask, final: Final) -> None:
    rule, error, said = WRONG[fault]
    task = make_task("read", "success")
    task.model.once.append(rule)
    with pytest.raises(error, match=said):
        task.run()
    assert not task.artifact.exists()
    assert (task.memories(), task.store.events()) == (["input", "observed-0"], [])
    goes_on(task, final, model_calls=2)


def test_model_calls_an_undeclared_tool(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    task.model.once.append(lambda body: asked_for(("c1", "result_retry", {"round": 1})))
    with pytest.raises(NotInterpreted, match="UNDECLARED_ACTION"):
        task.run()
    goes_on(task, final, model_calls=2)


@pytest.mark.promise("UND-24")
def test_input_changed(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    assert task.run(options=Options(stop_after="decision")) == Checkpoint(stage="decision")
    with pytest.raises(RequestChanged):
        task.run(request=attrs.evolve(task.request, order_id="ORD-other"))
    goes_on(task, final)
    with pytest.raises(RequestChanged):
        task.run(request=attrs.evolve(task.request, order_id="ORD-other"))


def test_no_further_round_is_begun(make_task: MakeTask, final: Final, monkeypatch: pytest.MonkeyPatch) -> None:
    task = make_task("errors", "transient")
    with monkeypatch.context() as patched:
        patched.setattr("order_observer.controller.ROUNDS", 1)
        with pytest.raises(BudgetExhausted):
            task.run()
    assert (task.asked(), task.store.task().state) == (FIRST, "waiting_retry")
    kinds, asked = ["transient", "none"], [*FIRST, "POST /retry"]
    final(settled(task, task.run(), state="completed", kinds=kinds, asked=asked))


def test_two_processes_are_kept_apart(make_task: MakeTask, final: Final) -> None:
    task = make_task("read", "success")
    with task_lock(task.directory), pytest.raises(TaskBusy):
        task.run()
    assert (task.model.requests, task.asked()) == ([], [])
    goes_on(task, final)


@pytest.mark.promise("UND-08")
def test_what_was_opened_is_closed_in_reverse_whatever_happened(
    make_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []

    def note(kind: Any, method: str, name: str) -> None:
        original = getattr(kind, method)

        async def noted(self: Any, *given: Any) -> Any:
            closed.append(name)
            return await original(self, *given)

        monkeypatch.setattr(kind, method, noted)

    note(Runtime, "__aexit__", "runtime")
    note(PluginHost, "__aexit__", "adapters")
    note(redis.asyncio.Redis, "aclose", "storage")
    task = make_task("read", "success")
    task.model.once.append(prose)
    with pytest.raises(DecisionRejected):
        task.run()
    assert closed == ["runtime", "adapters", "storage"]
    with task_lock(task.directory):
        pass
