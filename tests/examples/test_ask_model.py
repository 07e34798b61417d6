"""The program that asks a model through an endpoint, as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.model_server import ModelServer, Reply, always, obedient
from tests.support.models import KEY
from tests.support.project import ROOT


def program(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-W", "error", str(ROOT / "docs/examples/ask_model.py"), *words]
    env = {**os.environ, "DITTO_MODEL_KEY": KEY}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)


def test_the_model_is_asked_with_the_key_and_its_answer_printed() -> None:
    with ModelServer(obedient) as server:
        done = program(server.url, "small", "use time {}")
        assert [request.headers["Authorization"] for request in server.requests] == [f"Bearer {KEY}"] * 2
    assert (done.returncode, done.stderr) == (0, "")
    assert "+00:00" in done.stdout


@pytest.mark.parametrize("words", [[], ["--schema"]])
def test_a_run_without_an_answer_says_why_and_nothing_of_the_key(words: list[str]) -> None:
    with ModelServer(always(Reply(status=401))) as server:
        done = program(server.url, "small", "hello", *words)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "no answer: error, PROVIDER_HTTP_ERROR\n")
