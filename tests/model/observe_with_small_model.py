"""A real model, small enough to come with a package, reads an order's result: what is shown is shape, not wisdom.

Held to the schema it gives whole decisions, and whether they are right the evidence says. ``nox -s model`` runs this.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ditto_infer import Generation
from ditto_openai import OpenAIModel
from order_observer import DecisionRejected, NotInterpreted, Options, Report, Request
from order_observer.application import Settings, open_runtime
from order_observer.fixture import create_fixture
from order_observer.workflows import read
from tests.support.project import ROOT
from tests.support.redis_server import RedisServer

PATIENCE = 240.0
WRITING = Generation(temperature=0, seed=1, max_tokens=200)


@pytest.fixture
def url() -> Iterator[str]:
    """Start the server in a process of its own."""
    command = [sys.executable, str(ROOT / "tests/support/small_model.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_real_model_decides_under_a_schema_and_the_evidence_has_the_last_word(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fixture = create_fixture(tmp_path, "read")
    with RedisServer() as redis:
        outcome = asyncio.run(read_order(tmp_path, fixture.request, url, redis.url))
    fixture.service.close()
    artifact = tmp_path / "artifacts/result.json"
    if isinstance(outcome, DecisionRejected):
        assert outcome.field != "decision"  # it had all fields, and one of them was wrong
        assert not artifact.exists()
    elif isinstance(outcome, NotInterpreted):
        assert outcome.code == "INCOMPLETE_INTERPRETATION"  # it did not come to an end of its reason
        assert not artifact.exists()
    else:
        assert isinstance(outcome, Report)
        assert outcome.state == "completed"
        assert artifact.exists()
    with capsys.disabled():
        print(f"\nthe small model read an order: {outcome}")


async def read_order(directory: Path, request: Request, url: str, redis: str) -> object:
    provider = OpenAIModel(f"{url}/v1", tokens_name="max_tokens")
    settings = Settings(model="smollm2", endpoint=provider.base_url, redis=redis, deadline=30, model_timeout=PATIENCE)
    options = Options(generation=WRITING)
    async with (
        asyncio.timeout(PATIENCE),
        open_runtime(directory, request, settings, provider=provider) as runtime,
    ):
        try:
            return await read.run(runtime, request=request, model=settings.choice, options=options)
        except (DecisionRejected, NotInterpreted) as refusal:
            return refusal
