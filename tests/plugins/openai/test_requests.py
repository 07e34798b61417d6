"""What is sent: one request with the messages in the protocol's form, the key, and nothing of the environment."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ditto_core import ExternalResult, ObserveInput, PermissionDenied, Runtime, Sandbox, ToolCall, observe
from ditto_infer import (
    SAMPLE,
    Action,
    Generation,
    ModelChoice,
    ModelMessage,
    SampleFailed,
    SampleInput,
    assistant_message,
    infer_worker,
    tool_message,
)
from ditto_openai import OpenAIModel
from ditto_openai import model as model_module
from tests.support.model_server import ModelServer, always, asked_for, said
from tests.support.models import KEY, STOCK, ask, question
from tests.support.told import everything_told


def sent(server: ModelServer) -> dict[str, Any]:
    (request,) = server.requests
    return request.body


def test_a_request_is_what_the_protocol_says_and_nothing_more(server: ModelServer) -> None:
    result = asyncio.run(ask(server, question("hello", actions=(STOCK,))))
    assert result.status == "success"
    assert result.output
    assert result.output.message.content == "nothing to do"
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers == {
        "Host": server.origin.removeprefix("http://"),
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        "User-Agent": "ditto-openai",
        "Authorization": f"Bearer {KEY}",
        "Content-Length": str(len(json.dumps(request.body, separators=(",", ":")))),
    }
    function = {"name": "stock", "description": "How many there are.", "parameters": STOCK.input_schema}
    assert request.body == {
        "model": "small",
        "n": 1,
        "messages": [{"role": "user", "content": "hello"}],
        "tools": [{"type": "function", "function": function}],
    }


def test_without_a_key_there_is_no_header_for_it(server: ModelServer) -> None:
    asyncio.run(ask(server, question(), key=None))
    (request,) = server.requests
    assert "Authorization" not in request.headers


def test_the_generation_wins_over_the_providers_options(server: ModelServer) -> None:
    generation = Generation(temperature=0, top_p=0.5, top_k=3, max_tokens=7, stop=("\n",), seed=1)
    model = ModelChoice(model="small", provider_options={"temperature": 1, "logprobs": True})
    asyncio.run(ask(server, question(model=model, generation=generation)))
    body = sent(server)
    assert {name: body[name] for name in ("temperature", "top_p", "top_k", "stop", "seed", "logprobs")} == {
        "temperature": 0,
        "top_p": 0.5,
        "top_k": 3,
        "stop": ["\n"],
        "seed": 1,
        "logprobs": True,
    }
    assert (body["max_completion_tokens"], body.get("max_tokens")) == (7, None)


def test_an_older_server_is_told_the_tokens_under_their_older_name(server: ModelServer) -> None:
    asyncio.run(ask(server, question(generation=Generation(max_tokens=7)), tokens_name="max_tokens"))
    assert sent(server)["max_tokens"] == 7


@pytest.mark.parametrize("option", ["model", "messages", "stream", "tools", "n", "response_format"])
def test_an_option_cannot_replace_what_the_input_says(server: ModelServer, option: str) -> None:
    model = ModelChoice(model="small", provider_options={option: None})
    result = asyncio.run(ask(server, question(model=model)))
    assert result.error
    assert (result.status, result.error.code, server.requests) == ("failed", "INVALID_INPUT", [])


def test_an_output_schema_is_asked_for_and_refused_where_it_is_not_offered(server: ModelServer) -> None:
    schema: dict[str, Any] = {"type": "object"}
    asyncio.run(ask(server, question(output_schema=schema)))
    assert sent(server)["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": True},
    }
    result = asyncio.run(ask(server, question(output_schema=schema), output_schemas=False))
    assert result.error
    assert (result.error.code, len(server.requests)) == ("INVALID_INPUT", 1)


@pytest.mark.promise("CTX-05")
def test_a_call_keeps_its_id_on_the_way_to_the_model_and_back(server: ModelServer) -> None:
    server.once = [always(asked_for(("call_7", "stock", {"item": "tea"}), text="Let me see."))]
    first = asyncio.run(ask(server, question(actions=(STOCK,)))).output
    assert first
    (request,) = first.action_requests
    assert request == ToolCall(id="call_7", name="stock", arguments={"item": "tea"})
    result = ExternalResult(call_id=request.id, source="stock", status="success", content="3")
    answer = tool_message(request, observe(ObserveInput(result=result)))
    assert answer == ModelMessage(role="tool", content="3", metadata={"actionRequestId": "call_7", "name": "stock"})
    messages = (ModelMessage(role="user", content="How much tea?"), assistant_message(first), answer)
    again = SampleInput(messages=messages, model=ModelChoice(model="small"), actions=(STOCK,))
    asyncio.run(ask(server, again))
    assert server.requests[1].body["messages"][1:] == [
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [
                {"id": "call_7", "type": "function", "function": {"name": "stock", "arguments": '{"item":"tea"}'}}
            ],
        },
        {"role": "tool", "content": "3", "tool_call_id": "call_7"},
    ]


def test_what_a_model_reasoned_is_repeated_to_it(server: ModelServer) -> None:
    reply = said("Yes.")
    reply["choices"][0]["message"]["reasoning_content"] = "Tea is a leaf."
    server.once = [always(reply)]
    first = asyncio.run(ask(server, question())).output
    assert first
    messages = (ModelMessage(role="user", content="q"), assistant_message(first))
    asyncio.run(ask(server, SampleInput(messages=messages, model=ModelChoice(model="small"))))
    assert server.requests[1].body["messages"][1] == {
        "role": "assistant",
        "content": "Yes.",
        "reasoning_content": "Tea is a leaf.",
    }


@pytest.mark.parametrize("requests", [{}, [{}], [{"id": "", "name": "x", "arguments": {}}], ["x"], [None]])
def test_requests_in_the_history_that_are_none_are_refused(server: ModelServer, requests: Any) -> None:
    message = ModelMessage(role="assistant", content="", metadata={"actionRequests": requests})
    input = SampleInput(messages=(message,), model=ModelChoice(model="small"))
    result = asyncio.run(ask(server, input))
    assert result.error
    assert (result.error.code, server.requests) == ("INVALID_INPUT", [])


def test_nothing_is_sent_without_the_permission_for_the_origin(server: ModelServer) -> None:
    async def main() -> None:
        worker = infer_worker({"local": OpenAIModel(server.url, KEY)})
        async with Runtime(workers=[worker], sandbox=Sandbox(network=[server.origin])) as runtime:
            narrow = runtime.services.sandbox.narrow(network=[])
            with pytest.raises(PermissionDenied, match=r"network"):
                await runtime.invoke(SAMPLE, question(), sandbox=narrow)

    asyncio.run(main())
    assert server.requests == []


def test_another_endpoint_than_the_providers_is_refused(server: ModelServer) -> None:
    for endpoint, expected in ((server.url + "/", "success"), ("https://api.example.com/v1", "failed")):
        result = asyncio.run(ask(server, question(model=ModelChoice(model="small", endpoint=endpoint))))
        assert result.status == expected
    assert result.error
    assert result.error.code == "ENDPOINT_MISMATCH"


def test_nothing_of_the_environment_is_used(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(always(said("I am a proxy."))) as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.origin)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
        asyncio.run(ask(server, question(), key=None))
        assert (len(server.requests), proxy.requests) == (1, [])


def test_a_schema_that_the_endpoint_does_not_take_is_refused_with_the_action_named(server: ModelServer) -> None:
    action = Action(name="count", input_schema={"type": "array"})
    result = asyncio.run(ask(server, question(actions=(action,))))
    assert result.error
    assert (result.error.code, "'count'" in result.error.message, server.requests) == ("INVALID_INPUT", True, [])


def test_a_request_has_a_bound(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_module, "MAX_REQUEST_BYTES", 100)
    result = asyncio.run(ask(server, question("x" * 100)))
    assert result.error
    assert (result.error.code, server.requests) == ("INVALID_INPUT", [])


def test_nothing_is_sent_where_encryption_fails(server: ModelServer) -> None:
    async def main() -> None:
        model = OpenAIModel(server.url.replace("http:", "https:"), KEY)
        with pytest.raises(SampleFailed) as raised:
            async with asyncio.timeout(5):
                await model.sample(question())
        assert raised.value.error.code == "EXECUTION_FAILED"
        assert KEY not in everything_told(raised.value)

    asyncio.run(main())
    assert server.requests == []


def test_under_a_schema_the_rule_joins_a_system_message_and_without_actions_nothing_changes(
    server: ModelServer,
) -> None:
    messages = (ModelMessage(role="system", content="Be brief."), ModelMessage(role="user", content="hello"))
    input = SampleInput(messages=messages, model=ModelChoice(model="small"), actions=(STOCK,))
    server.rule = always(said('{"answer": {"text": "Yes."}}'))
    output = asyncio.run(ask(server, input, actions="schema")).output
    assert output
    assert output.message.content == '{"text":"Yes."}'
    first, second = server.requests[0].body["messages"]
    assert (first["role"], first["content"][:12], second["role"]) == ("system", "Be brief.\n\nA", "user")
    plain = asyncio.run(ask(server, question(), actions="schema")).output
    assert plain
    assert plain.message.content == '{"answer": {"text": "Yes."}}'
    assert server.requests[1].body["messages"] == [{"role": "user", "content": "hello"}]
