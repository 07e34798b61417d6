"""What the acceptance tests share, and the table of final states at the end of their run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from order_observer.request import Mode, Scenario
from tests.acceptance.task import Task
from tests.support.live_model import handed_on
from tests.support.model_server import ModelServer
from tests.support.order_model import interpreter
from tests.support.redis_server import RedisServer

MakeTask = Callable[[Mode, Scenario], Task]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """Give a server that answers as a careful reader would, or hands on to the live model that was asked for."""
    rule = handed_on if os.environ.get("DITTO_LIVE_MODEL") else interpreter
    with ModelServer(rule) as server:
        yield server


@pytest.fixture
def make_task(tmp_path: Path, model: ModelServer, redis_server: RedisServer) -> Iterator[MakeTask]:
    """Give a function that makes a task; its service is closed in the end."""
    tasks: list[Task] = []

    def make(mode: Mode, scenario: Scenario) -> Task:
        directory = tmp_path / str(len(tasks))
        directory.mkdir()
        tasks.append(Task.create(directory, mode, scenario, model=model, redis=redis_server))
        return tasks[-1]

    yield make
    for task in tasks:
        task.fixture.service.close()


@pytest.fixture
def final(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Give a function that enters the final state of a scenario into the table."""
    return lambda line: record_property("final", line)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print one line for each scenario that has come to its end."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    lines = [
        f"{report.nodeid.rpartition('::')[2]}: {value}"
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == "final"
    ]
    if lines:
        terminalreporter.section("final states")
        for line in lines:
            terminalreporter.line(line)
