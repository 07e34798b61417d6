"""Processes killed with SIGKILL: at the four points that the specification names, and after every single step."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator

import pytest

from order_observer import Report
from order_observer.request import Mode, Scenario
from order_observer.service.answers import Answer
from tests.acceptance.conftest import MakeTask
from tests.acceptance.crashing import Crasher, Ending
from tests.acceptance.task import Task, settled

KILLED = Ending(signal=signal.SIGKILL, status=-1)
FINISHED = Ending(signal=0, status=0)
FIRST = ["GET /result"]

# The steps of a run that begins: 1 recall, 2 the input, 3 the context (the look before it raises), 4 act and observe,
# 5 observed-0, 6 its item, 7 interpret, 8 decision-0, 9 commit, 10 task-state; then a second round or 11 the report,
# 12 publish.
OBSERVED, DECIDED, COMMITTED, RETRIED, REPORTED = 5, 8, 9, 11, 11


@pytest.fixture(scope="module")
def crasher() -> Iterator[Crasher]:
    with Crasher() as process:
        yield process


def killed(crasher: Crasher, task: Task, step: int) -> None:
    assert crasher.run(task, kill_after=step) == KILLED
    assert not task.artifact.exists()
    task.expire_context()


@pytest.mark.promise("UND-25", "UND-26")
def test_observed_process_crash(crasher: Crasher, make_task: MakeTask, final: Callable[[str], None]) -> None:
    task = make_task("read", "success")
    killed(crasher, task, OBSERVED)
    assert (task.memories(), len(task.model.requests)) == (["input", "observed-0"], 0)
    final(settled(task, task.run(), state="completed", kinds=["none"], asked=FIRST))


@pytest.mark.promise("UND-25", "UND-26")
def test_decision_process_crash(crasher: Crasher, make_task: MakeTask, final: Callable[[str], None]) -> None:
    task = make_task("read", "success")
    killed(crasher, task, DECIDED)
    assert (task.memories()[-1], task.store.task().version) == ("decision-0", 0)
    final(settled(task, task.run(), state="completed", kinds=["none"], asked=FIRST))


@pytest.mark.promise("UND-21", "UND-28")
def test_state_effect_crash(crasher: Crasher, make_task: MakeTask, final: Callable[[str], None]) -> None:
    task = make_task("read", "success")
    killed(crasher, task, COMMITTED)
    assert task.store.task().version == 1
    final(settled(task, task.run(), state="completed", kinds=["none"], asked=FIRST))


@pytest.mark.promise("UND-28")
def test_retry_effect_crash(crasher: Crasher, make_task: MakeTask, final: Callable[[str], None]) -> None:
    task = make_task("errors", "transient")
    killed(crasher, task, RETRIED)
    assert (task.memories()[-1], task.fixture.order().retries) == ("decision-0", 1)
    asked = [*FIRST, "POST /retry", "POST /retry"]
    final(settled(task, task.run(), state="completed", kinds=["transient", "none"], asked=asked))
    assert task.store.attempts() == [f"{task.request.id}:round-1"] * 2


@pytest.mark.promise("UND-28")
def test_crash_while_the_retry_is_answered(
    crasher: Crasher, make_task: MakeTask, final: Callable[[str], None]
) -> None:
    """The effect is there, and the process that is to hear of it is not."""
    task = make_task("errors", "transient")
    task.fixture.service.next_answers.extend([Answer(status=503), Answer(held=True)])
    assert crasher.run(task, kill_when_retried=True) == KILLED
    assert (task.memories()[-1], task.fixture.order().retries) == ("decision-0", 1)
    asked = [*FIRST, "POST /retry", "POST /retry"]
    final(settled(task, task.run(), state="completed", kinds=["transient", "none"], asked=asked))


@pytest.mark.promise("UND-28")
def test_report_crash_before_publication(crasher: Crasher, make_task: MakeTask, final: Callable[[str], None]) -> None:
    task = make_task("read", "success")
    killed(crasher, task, REPORTED)
    assert task.memories()[-1] == "report"
    final(settled(task, task.run(), state="completed", kinds=["none"], asked=FIRST))


EVERY_STEP: dict[Mode, tuple[Scenario, list[str]]] = {
    "normalize": ("success", ["none"]),
    "errors": ("transient", ["transient", "none"]),
    "interpret": ("disconnect", ["transport", "none"]),
}


@pytest.mark.parametrize("mode", EVERY_STEP)
@pytest.mark.promise("UND-25", "UND-26", "UND-28")
def test_crash_after_every_step(
    mode: Mode, crasher: Crasher, make_task: MakeTask, final: Callable[[str], None]
) -> None:
    """Whatever the step: the next run ends with a report, no effect is doubled, and nothing kept is asked again."""
    scenario, kinds = EVERY_STEP[mode]
    step = 0
    while True:
        step += 1
        task = make_task(mode, scenario)
        task.model.requests.clear()
        ending = crasher.run(task, kill_after=step)
        if ending == FINISHED:
            break
        assert ending == KILLED
        kept, calls, asked = task.memories() if step > 1 else [], len(task.model.requests), task.asked()
        report = task.run()
        assert isinstance(report, Report)
        assert report.state == "completed"
        expected = kinds
        if mode == "interpret" and asked and "observed-0" not in kept:
            expected = ["none"]  # the lost answer was seen by nobody, and the read was repeated
        assert [one.decision.error_kind for one in report.rounds] == expected
        assert json.loads(task.artifact.read_text(encoding="utf-8")) == report.to_json()
        assert task.fixture.order().retries <= 1
        # A stage that was kept is not done again; the one at work may be.
        for round in range(len(kinds)):
            if f"decision-{round}" in kept:
                assert len(task.model.requests) - calls <= len(kinds) - 1 - round
            if f"observed-{round}" in kept:
                assert len(task.asked()) - len(asked) <= len(kinds) - 1 - round
        assert [event.round for event in task.store.events()] == list(range(len(expected)))
    final(f"{mode}/{scenario}: killed after each of {step - 1} steps, completed each time")
