"""The five workflows from their beginning to their end, at once and with a context that is lost on the way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from order_observer import Checkpoint, Options
from order_observer.request import Mode, Scenario
from tests.acceptance.conftest import MakeTask
from tests.acceptance.task import NODES, settled

FIRST = ["GET /result"]
WORKFLOWS: dict[Mode, tuple[Scenario, list[str], list[str]]] = {
    "read": ("success", ["none"], FIRST),
    "normalize": ("success", ["none"], FIRST),
    "errors": ("transient", ["transient", "none"], [*FIRST, "POST /retry"]),
    "state": ("success", ["none"], FIRST),
    "interpret": ("timeout", ["timeout", "none"], [*FIRST, "GET /status"]),
}

each_workflow = pytest.mark.parametrize("mode", WORKFLOWS)


@each_workflow
@pytest.mark.promise("UND-01", "UND-02", "UND-03", "UND-05", "UND-10", "UND-20", "UND-23", "UND-24")
def test_complete(mode: Mode, make_task: MakeTask, final: Callable[[str], None]) -> None:
    scenario, kinds, asked = WORKFLOWS[mode]
    task = make_task(mode, scenario)
    report = task.run()
    assert set(task.nodes) == NODES
    final(settled(task, report, state="completed", kinds=kinds, asked=asked))


@each_workflow
@pytest.mark.promise("UND-07", "UND-26")
def test_cache_expiry(mode: Mode, make_task: MakeTask, final: Callable[[str], None]) -> None:
    scenario, kinds, asked = WORKFLOWS[mode]
    task = make_task(mode, scenario)
    assert task.run(options=Options(stop_after="decision")) == Checkpoint(stage="decision")
    assert (len(task.model.requests), task.asked(), task.store.task().state) == (1, FIRST, "pending")
    task.expire_context()
    final(settled(task, task.run(), state="completed", kinds=kinds, asked=asked))
