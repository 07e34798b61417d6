"""Every answer that the service can give, and where it leads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from order_observer.request import Mode, Scenario
from tests.acceptance.conftest import MakeTask
from tests.acceptance.task import settled

FIRST = ["GET /result"]
RETRIED = [*FIRST, "POST /retry"]
RECONCILED = [*FIRST, "GET /status"]
OUTCOMES: dict[Scenario, tuple[str, list[str], list[str]]] = {
    "success": ("completed", ["none"], FIRST),
    "transient": ("completed", ["transient", "none"], RETRIED),
    "denied": ("needs_review", ["permission"], FIRST),
    "not-found": ("needs_review", ["not_found"], FIRST),
    "timeout": ("completed", ["timeout", "none"], RECONCILED),
    "disconnect": ("completed", ["transport", "none"], RECONCILED),
    "malformed": ("needs_review", ["invalid_output"], FIRST),
    "business-failure": ("needs_review", ["business"], FIRST),
    "cancelled": ("stopped", ["cancelled"], FIRST),
    "persistent-transient": ("needs_review", ["transient", "transient"], RETRIED),
}


@pytest.mark.parametrize("scenario", OUTCOMES)
@pytest.mark.promise("UND-13", "UND-16", "UND-17", "UND-18", "UND-19", "UND-23")
def test_outcome(scenario: Scenario, make_task: MakeTask, final: Callable[[str], None]) -> None:
    state, kinds, asked = OUTCOMES[scenario]
    mode: Mode = "normalize" if scenario == "malformed" else "interpret"
    task = make_task(mode, scenario)
    final(settled(task, task.run(), state=state, kinds=kinds, asked=asked))
