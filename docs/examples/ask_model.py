"""Asks a model through its endpoint, and lets it look at the time if it wants to.

``python ask_model.py BASE_URL MODEL QUESTION`` reads the key from ``DITTO_MODEL_KEY``; an endpoint on this machine
may need none. With ``--schema`` the model needs no tool calls of its own, if its server holds it to a JSON schema.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from datetime import UTC, datetime

from ditto_agent import AgentLimits, AgentResult, run_agent, tool_actions
from ditto_core import Runtime, Sandbox, interaction_worker, tool
from ditto_infer import ModelChoice, ModelMessage, SampleInput, infer_worker
from ditto_openai import OpenAIModel


@tool
async def time() -> str:
    """The date and the time of day in UTC."""
    return datetime.now(UTC).isoformat(timespec="minutes")


async def ask(model: OpenAIModel, name: str, question: str) -> AgentResult:
    """Run the agent loop until the model answers."""
    workers = [infer_worker({"endpoint": model}, timeout=60), interaction_worker(tools=[time])]
    async with Runtime(workers=workers, sandbox=Sandbox(tools=["time"], network=[model.origin])) as runtime:
        task = SampleInput(
            messages=(ModelMessage(role="user", content=question),),
            model=ModelChoice(model=name),
            actions=tool_actions(runtime),
        )
        return await run_agent(runtime, task, limits=AgentLimits(max_steps=5, timeout=120))


def main() -> None:
    """Read the command, ask, and print the answer, or how the run ended without one."""
    parser = argparse.ArgumentParser(description="Asks a model through an endpoint that speaks chat completions.")
    parser.add_argument("base_url")
    parser.add_argument("model")
    parser.add_argument("question")
    parser.add_argument("--schema", action="store_true", help="ask for actions under a JSON schema")
    given = parser.parse_args()
    model = OpenAIModel(
        given.base_url, os.environ.get("DITTO_MODEL_KEY"), actions="schema" if given.schema else "native"
    )
    result = asyncio.run(ask(model, given.model, given.question))
    if result.stop_reason != "completed" or not result.message:
        sys.exit(f"no answer: {result.stop_reason}{f', {result.error.code}' if result.error else ''}")
    print(result.message.content)


if __name__ == "__main__":
    main()
