"""What the tools refuse when they are called out of turn."""

from __future__ import annotations

import pytest

from order_observer import (
    Checkpoint,
    ConflictingCommit,
    DecisionRejected,
    NotAdmitted,
    Options,
    StaleTask,
    WrongEvidence,
)
from tests.acceptance.calls import call, finished
from tests.acceptance.conftest import MakeTask


@pytest.mark.promise("UND-21")
def test_commit_again_and_otherwise(make_task: MakeTask) -> None:
    task = make_task("read", "success")
    result, decision = finished(task)
    again = call(task, "result_commit", "c1", round=0, result=result, decision=decision)
    assert again["structuredContent"] == {"state": "completed", "version": 1}
    assert task.store.task().version == 1
    with pytest.raises(ConflictingCommit):
        call(task, "result_commit", "c2", round=0, result=result, decision={**decision, "reason": "Another."})
    assert task.store.task().version == 1


@pytest.mark.promise("UND-21")
def test_commit_that_is_stale(make_task: MakeTask) -> None:
    task = make_task("read", "success")
    result, decision = finished(task)
    id = f"{task.request.id}:round-1"
    late = {**result, "callId": id, "source": "result_status"}
    with pytest.raises(StaleTask):
        call(task, "result_commit", "c1", round=1, result=late, decision={**decision, "callId": id})


def test_commit_of_anothers_evidence(make_task: MakeTask) -> None:
    task = make_task("read", "success")
    assert task.run(options=Options(stop_after="decision")) == Checkpoint(stage="decision")
    other = make_task("read", "success")
    result, decision = finished(other)
    with pytest.raises(WrongEvidence):
        call(task, "result_commit", "c1", round=0, result=result, decision=decision)
    with pytest.raises(WrongEvidence):
        call(task, "result_commit", "c2", round=0, result={}, decision=decision)
    own = {**result, "callId": f"{task.request.id}:round-0"}
    with pytest.raises(DecisionRejected):
        call(task, "result_commit", "c3", round=0, result=own, decision=decision)
    assert task.store.events() == []


@pytest.mark.promise("UND-22")
@pytest.mark.parametrize("tool", ["result_retry", "result_status"])
def test_follow_up_that_the_state_does_not_admit(tool: str, make_task: MakeTask) -> None:
    task = make_task("interpret", "transient")
    with pytest.raises(NotAdmitted):
        call(task, tool, "c1", round=1)
    finished(task)
    asked = task.asked()
    with pytest.raises(NotAdmitted):
        call(task, tool, "c2", round=1)
    assert task.asked() == asked
