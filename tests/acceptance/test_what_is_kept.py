"""What is kept and published, and what becomes of a run when somebody has changed it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest

from ditto_core import (
    JsonObject,
    Outputs,
)
from order_observer import (
    CheckpointConflict,
    DecisionRejected,
    ObservationChanged,
    PublicationFailed,
    PublicationRefused,
    WrongEvidence,
)
from order_observer.application import open_runtime
from order_observer.workflows import read
from tests.acceptance.calls import call, finished
from tests.acceptance.conftest import MakeTask
from tests.acceptance.task import Task, Watched, settled


def tampered(path: Path) -> None:
    path.write_text("{}\n", encoding="utf-8")


def linked(path: Path) -> None:
    moved = path.with_name("elsewhere.json")
    path.rename(moved)
    path.symlink_to(moved)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [tampered, linked, a_folder])
def test_artifact_that_was_tampered_with(spoil: Callable[[Path], None], make_task: MakeTask) -> None:
    task = make_task("read", "success")
    finished(task)
    spoil(task.artifact)
    before = sorted(task.artifact.parent.iterdir())
    with pytest.raises(PublicationFailed):
        task.run()
    assert sorted(task.artifact.parent.iterdir()) == before


def test_artifact_that_is_gone_is_published_again(make_task: MakeTask, final: Callable[[str], None]) -> None:
    task = make_task("read", "success")
    finished(task)
    task.artifact.unlink()
    final(settled(task, task.run(), state="completed", kinds=["none"], asked=["GET /result"]))


def changes(report: JsonObject) -> Iterable[JsonObject]:
    yield {**report, "state": "stopped"}
    yield {**report, "taskId": "another"}
    yield {**report, "mode": "state"}
    yield {**report, "verified": False}
    yield {**report, "rounds": []}
    yield {**report, "extra": 1}
    (only,) = report["rounds"]  # type: ignore[misc]
    yield {**report, "rounds": [{**only, "decision": {**only["decision"], "totalCents": 1}}]}  # type: ignore[dict-item,index,call-overload]


def test_report_that_the_events_do_not_stand_for(make_task: MakeTask) -> None:
    task = make_task("read", "success")
    finished(task)
    report = json.loads(task.artifact.read_text(encoding="utf-8"))
    for number, changed in enumerate(changes(report)):
        with pytest.raises(PublicationRefused):
            call(task, "result_publish", f"p{number}", report=changed)


def test_memories_that_no_run_has_written(make_task: MakeTask) -> None:
    def rewrite(task: Task, stage: str, old: str, new: str) -> None:
        with closing(sqlite3.connect(task.directory / "memory.sqlite")) as db:
            changed = db.execute(
                "UPDATE memories SET content = replace(content, ?, ?) WHERE memory_key LIKE ?",
                (old, new, f"%:{stage}"),
            )
            assert changed.rowcount == 1
            db.commit()

    cases = [
        ("observed-0", '"source":"result_read"', '"source":"result_status"', WrongEvidence),
        ("observed-0", '"status":"success"', '"status":"nonsense"', CheckpointConflict),
        ("decision-0", '"nextAction":"complete"', '"nextAction":"stop"', DecisionRejected),
        ("report", '"state":"completed"', '"state":"stopped"', CheckpointConflict),
        ("report", '"fingerprint"', '"print"', CheckpointConflict),
    ]
    for stage, old, new, error in cases:
        task = make_task("read", "success")
        finished(task)
        rewrite(task, stage, old, new)
        with pytest.raises(error):
            task.run()


@pytest.mark.promise("UND-09")
def test_observation_that_lost_something(make_task: MakeTask) -> None:
    task = make_task("read", "success")

    class Losing(Watched):
        async def run(self, graph: Any, input: Any, /) -> Outputs:
            outputs = await super().run(graph, input)
            if graph.name == "act-and-observe":
                values: Any = outputs._values
                observation = values["_observation"]
                values["_observation"] = attrs.evolve(
                    observation, message=attrs.evolve(observation.message, name="another")
                )
            return outputs

    async def main() -> None:
        async with open_runtime(task.directory, task.request, task.settings) as runtime:
            await read.run(
                Losing(runtime, lambda name, count: None, []), request=task.request, model=task.settings.choice
            )

    with pytest.raises(ObservationChanged, match="message"):
        asyncio.run(main())
    assert task.memories() == ["input"]
