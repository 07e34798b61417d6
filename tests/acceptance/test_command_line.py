"""The command, as a process: a new task, a checkpoint, going on, and the signals that cancel it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import ModelServer, late
from tests.support.order_model import decision, wrong
from tests.support.redis_server import RedisServer

PATIENCE = 60.0


@pytest.fixture
def environment(model: ModelServer, redis_server: RedisServer, tmp_path: Path) -> dict[str, str]:
    """Name the model and Redis; new tasks go below the test's own folder."""
    named = {"MODEL": "rules", "ENDPOINT": model.url, "REDIS": redis_server.url, "DEADLINE": "20"}
    return {
        **os.environ,
        "TMPDIR": str(tmp_path),
        **{f"ORDER_OBSERVER_{name}": value for name, value in named.items()},
    }


def start(environment: dict[str, str], *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-m", "order_observer", *words]
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def done(environment: dict[str, str], *words: str) -> tuple[int, Any, str]:
    """Run the command; give its status, what it printed as JSON, and its complaints."""
    with start(environment, *words) as process:
        out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, json.loads(out) if out else None, err


@pytest.mark.promise("UND-07")
def test_a_task_is_stopped_and_resumed(
    environment: dict[str, str], model: ModelServer, final: Callable[[str], None]
) -> None:
    status, printed, _ = done(environment, "errors", "--checkpoint")
    assert (status, printed["result"]) == (0, {"stage": "decision", "status": "checkpoint"})
    directory = printed["directory"]
    status, _, complaint = done(environment, "read", "--directory", directory)
    assert (status, "WrongMode" in complaint) == (1, True)
    status, printed, _ = done(environment, "errors", "--directory", directory)
    assert (status, printed["directory"], printed["result"]["state"]) == (0, directory, "completed")
    artifact = Path(directory, "artifacts/result.json").read_text(encoding="utf-8")
    assert json.loads(artifact) == printed["result"]
    assert done(environment, "errors", "--directory", directory)[1] == printed
    assert len(model.requests) == 2
    final("errors/transient: completed, stopped after the decision and resumed by the command")


@pytest.mark.promise("UND-06")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_a_run_which_goes_on_later(
    number: signal.Signals, environment: dict[str, str], model: ModelServer, final: Callable[[str], None]
) -> None:
    model.once.append(lambda body: late(decision(body)))
    with start(environment, "interpret", "--scenario", "disconnect") as process:
        assert model.arrived.wait(PATIENCE)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert "cancelled" in err.splitlines()[-1]
    directory = err.splitlines()[0].rpartition(" ")[2]
    model.released.set()
    _, printed, _ = done(environment, "interpret", "--directory", directory)
    assert printed["result"]["state"] == "completed"
    final(f"interpret/disconnect: completed after {number.name}")


def test_a_wrong_answer_is_told_and_no_traceback(environment: dict[str, str], model: ModelServer) -> None:
    model.rule = wrong(totalCents=1)
    status, printed, complaint = done(environment, "read")
    assert (status, printed) == (1, None)
    assert "DecisionRejected: The decision is rejected: totalCents contradicts the evidence." in complaint
    assert "Traceback" not in complaint


@pytest.mark.parametrize("name", ["MODEL", "ENDPOINT", "REDIS"])
def test_nothing_is_begun_without_a_model(name: str, environment: dict[str, str], tmp_path: Path) -> None:
    del environment[f"ORDER_OBSERVER_{name}"]
    status, printed, complaint = done(environment, "read")
    assert (status, printed) == (1, None)
    assert complaint == f"order-observer: NotConfigured: Nothing was begun: set ORDER_OBSERVER_{name}.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_a_task_is_refused(environment: dict[str, str], tmp_path: Path) -> None:
    status, printed, complaint = done(environment, "read", "--directory", str(tmp_path))
    assert (status, printed) == (1, None)
    assert complaint.startswith("order-observer: InvalidRequest:")
