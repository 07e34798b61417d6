"""The loop with a model behind an endpoint: the real request and the real reply, natively and under a schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ditto_agent import AgentLimits, AgentResult, run_agent, tool_actions
from ditto_core import Runtime, interaction_worker, tool
from ditto_infer import infer_worker
from ditto_openai import OpenAIModel
from tests.support import run
from tests.support.model_server import ModelServer, Reply, always, asked_for, obedient, said
from tests.support.models import permitted, question

SHELF = {"tea": 3, "milk": 0}


def ended(server: ModelServer, text: str, *, actions: Any = "native", **limits: Any) -> tuple[AgentResult, list[str]]:
    """Run an agent against the server; give its result, and which items the tool was asked for."""
    asked: list[str] = []

    @tool
    async def stock(item: str) -> int:
        """How many of an item there are."""
        asked.append(item)
        return SHELF[item]

    async def main() -> AgentResult:
        infer = infer_worker({"local": OpenAIModel(server.url, actions=actions)})
        async with Runtime(workers=[infer, interaction_worker(tools=[stock])], sandbox=permitted(server)) as runtime:
            return await run_agent(
                runtime, question(text, actions=tool_actions(runtime)), limits=AgentLimits(**limits)
            )

    return run(main()), asked


@pytest.fixture
def server() -> Any:
    with ModelServer(obedient) as server:
        yield server


def test_a_model_asks_gets_answers_under_its_ids_and_ends(server: ModelServer) -> None:
    result, asked = ended(server, 'use stock {"item": "tea"}\nuse stock {"item": "milk"}')
    assert result.message
    assert (result.status, result.message.content, asked) == ("completed", "3; 0", ["tea", "milk"])
    sent = server.requests[2].body["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "assistant", "tool"]
    assert [sent[index]["tool_calls"][0]["id"] == sent[index + 1]["tool_call_id"] for index in (1, 3)] == [True, True]
    assert result.usage.total_tokens == 30


@pytest.mark.parametrize(
    ("reply", "reason", "code"),
    [
        (said("I would call stock for tea."), "completed", ""),
        (asked_for(("a", "rob_bank", {})), "error", "UNDECLARED_ACTION"),
        (asked_for(("call_1", "stock", {"item": "tea"})), "error", "INVALID_MODEL_OUTPUT"),
        (asked_for(("b", "stock", "item: tea")), "error", "INVALID_MODEL_OUTPUT"),
        (Reply(status=503), "error", "PROVIDER_HTTP_ERROR"),
        (Reply(silent=True), "error", "EXECUTION_FAILED"),
        (Reply(pieces=[b"x" * 2_000_000]), "error", "INVALID_MODEL_OUTPUT"),
    ],
)
def test_a_model_that_misbehaves_on_its_second_turn_repeats_nothing(
    server: ModelServer, reply: Any, reason: str, code: str
) -> None:
    server.rule = always(reply)
    server.once = [obedient]
    result, asked = ended(server, 'use stock {"item": "tea"}')
    assert (result.stop_reason, result.error.code if result.error else "") == (reason, code)
    assert (asked, len(server.requests), len(result.observations)) == (["tea"], 2, 1)


def test_a_model_that_answers_too_late_ends_the_run_in_time(server: ModelServer) -> None:
    server.rule = always(Reply(held=True))
    result, asked = ended(server, "hello", timeout=0.3)
    assert (result.status, result.stop_reason, asked, len(server.requests)) == ("failed", "timeout", [], 1)


def held_to_a_schema(request: Any) -> Any:
    """Answer as a server does that holds a model to a schema: first an action, then, with its result, the answer."""
    results = [json.loads(message["content"]) for message in request["messages"] if "callId" in message["content"]]
    (tea, answer) = request["response_format"]["json_schema"]["schema"]["anyOf"]
    assert (tea["properties"]["name"], list(answer["properties"])) == ({"const": "stock"}, ["answer"])
    if results:
        return said(json.dumps({"answer": f"{results[0]['name']}: {results[0]['result']}"}))
    return said(json.dumps({"name": "stock", "arguments": {"item": "tea"}}))


def test_a_model_without_tool_calls_acts_under_a_schema(server: ModelServer) -> None:
    server.rule = held_to_a_schema
    result, asked = ended(server, "How much tea?", actions="schema")
    assert result.message
    assert (result.status, result.message.content, asked) == ("completed", "stock: 3", ["tea"])
    first, second = (request.body["messages"] for request in server.requests)
    assert "tools" not in server.requests[0].body
    assert [message["role"] for message in first] == ["system", "user"]
    assert '"name":"stock"' in first[0]["content"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert json.loads(second[2]["content"]) == {"name": "stock", "arguments": {"item": "tea"}}
    assert json.loads(second[3]["content"]) == {
        "callId": result.observations[0].call_id,
        "name": "stock",
        "result": "3",
    }


@pytest.mark.parametrize(
    "text",
    ["Sure!", "{}", "[]", '{"name": "stock"}', '{"name": 1, "arguments": {}}', '{"name": "stock", "arguments": []}',
     '{"answer": "x", "name": "stock"}', '{"answer": 1, "answer": 2}', '{"answer": NaN}'],
)  # fmt: skip
def test_prose_where_a_schema_was_asked_for_is_no_answer(server: ModelServer, text: str) -> None:
    server.rule = always(said(text))
    result, asked = ended(server, "How much tea?", actions="schema")
    assert result.error
    assert (result.stop_reason, result.error.code, asked) == ("error", "INVALID_MODEL_OUTPUT", [])
