"""What comes back: a sample, or a result that says with a code why there is none. Nothing is asked twice."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_infer import SampleFailed, SampleResult, Usage
from ditto_openai.reply import native_sample, read_reply
from tests.support.model_server import (
    ModelServer,
    Reply,
    always,
    asked_for,
    completion,
    drip,
    huge,
    late,
    redirect,
    said,
    whole,
)
from tests.support.models import KEY, STOCK, ask, question
from tests.support.strategies import json_values


def code_of(result: SampleResult) -> str:
    assert result.error
    assert not result.output
    assert KEY not in repr(result)
    return result.error.code


def test_a_text_is_a_sample_with_the_counters_that_were_given(server: ModelServer) -> None:
    reply = said("Yes.")
    reply["usage"] = {
        "prompt_tokens": 3,
        "completion_tokens": True,
        "total_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 1},
        "completion_tokens_details": None,
    }
    server.rule = always(reply)
    output = asyncio.run(ask(server, question())).output
    assert output
    assert (output.message.content, output.finish_reason, output.action_requests) == ("Yes.", "stop", ())
    assert output.usage == Usage(input_tokens=3, total_tokens=5, cached_tokens=1)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(pieces=[b"The answer is 42."]), "INVALID_MODEL_OUTPUT"),
        (Reply(pieces=[b""]), "INVALID_MODEL_OUTPUT"),
        (Reply(pieces=[b"\xff{}"]), "INVALID_MODEL_OUTPUT"),
        (Reply(pieces=[b"[" * 100_000]), "INVALID_MODEL_OUTPUT"),
        (Reply(pieces=[b'{"choices": [], "choices": []}']), "INVALID_MODEL_OUTPUT"),
        ({"error": {"message": "no"}}, "INVALID_MODEL_OUTPUT"),
        ({"choices": []}, "INVALID_MODEL_OUTPUT"),
        ({"choices": [None]}, "INVALID_MODEL_OUTPUT"),
        ({"choices": [{"message": {"role": "user", "content": ""}, "finish_reason": "stop"}]}, "INVALID_MODEL_OUTPUT"),
        ({"choices": said("a")["choices"] * 2}, "INVALID_MODEL_OUTPUT"),
        (completion({"content": ["x"]}, "stop"), "INVALID_MODEL_OUTPUT"),
        (completion({"content": "x"}, "bored"), "INVALID_MODEL_OUTPUT"),
        (completion({"content": "x"}, "tool_calls"), "INVALID_MODEL_OUTPUT"),
        (completion({"content": None, "tool_calls": {}}, "tool_calls"), "INVALID_MODEL_OUTPUT"),
        (completion({"content": "x"}, "content_filter"), "MODEL_ERROR"),
        (asked_for(("", "stock", {})), "INVALID_MODEL_OUTPUT"),
        (asked_for(("a", "", {})), "INVALID_MODEL_OUTPUT"),
        (asked_for(("a", "stock", "{")), "INVALID_MODEL_OUTPUT"),
        (asked_for(("a", "stock", "[]")), "INVALID_MODEL_OUTPUT"),
        (asked_for(("a", "stock", {}), ("a", "stock", {})), "INVALID_MODEL_OUTPUT"),
        (asked_for(("a", "rob_bank", {})), "UNDECLARED_ACTION"),
        ({**asked_for(("a", "stock", {})), "choices": [{**asked_for(("a", "stock", "{"))["choices"][0],
          "finish_reason": "length"}]}, "INCOMPLETE_MODEL_OUTPUT"),
        (Reply(pieces=[b"{"], cut=True), "INCOMPLETE_MODEL_OUTPUT"),
        (Reply(silent=True), "EXECUTION_FAILED"),
        (Reply(headers={"Content-Encoding": "gzip"}, pieces=[b"x"]), "INVALID_MODEL_OUTPUT"),
        (huge(2_000_000), "INVALID_MODEL_OUTPUT"),
        (Reply(pieces=[b" " * 1_048_577]), "INVALID_MODEL_OUTPUT"),
        *[(Reply(status=status, pieces=[b"sk-echo"]), "PROVIDER_HTTP_ERROR") for status in (204, 400, 401, 429, 503)],
    ],
)  # fmt: skip
def test_what_is_no_sample_is_a_result_with_a_code(server: ModelServer, reply: Any, code: str) -> None:
    server.rule = always(reply)
    result = asyncio.run(ask(server, question(actions=(STOCK,))))
    assert (result.status, code_of(result), len(server.requests)) == ("failed", code, 1)


def test_what_may_succeed_later_is_said_to(server: ModelServer) -> None:
    for status, retryable in ((400, False), (429, True), (500, True), (599, True)):
        server.rule = always(Reply(status=status))
        error = asyncio.run(ask(server, question())).error
        assert error
        assert (error.retryable, str(status) in error.message) == (retryable, True)


def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    with ModelServer(always(said("I have your key."))) as elsewhere:
        for status in (301, 302, 303, 307, 308):
            server.rule = always(redirect(f"{elsewhere.url}/chat/completions", status))
            assert code_of(asyncio.run(ask(server, question()))) == "PROVIDER_HTTP_ERROR"
        assert elsewhere.requests == []


def test_no_server_is_a_result_too() -> None:
    with ModelServer(always(said("x"))) as gone:
        pass
    assert code_of(asyncio.run(ask(gone, question()))) == "EXECUTION_FAILED"


@pytest.mark.parametrize("way", ["late", "drip"])
def test_the_deadline_covers_the_whole_answer(server: ModelServer, way: str) -> None:
    server.rule = always(late(said("too late")) if way == "late" else drip(server))
    result = asyncio.run(ask(server, question(), timeout=0.2))
    assert (result.status, code_of(result), len(server.requests)) == ("timeout", "TIMEOUT", 1)


def test_a_refusal_is_told_and_no_answer(server: ModelServer) -> None:
    server.rule = always(completion({"content": None, "refusal": "I will not."}, "stop"))
    output = asyncio.run(ask(server, question())).output
    assert output
    assert output.message.content == ""
    assert output.message.metadata
    assert output.message.metadata["refusal"] == "I will not."


def test_half_a_surrogate_is_replaced(server: ModelServer) -> None:
    body = json.dumps(said("a\ud800b")).encode()
    server.rule = always(Reply(pieces=[body]))
    output = asyncio.run(ask(server, question())).output
    assert output
    assert output.message.content == "a\ufffdb"


@given(body=json_values)
def test_no_json_breaks_the_reader(body: Any) -> None:
    assert outcome(json.dumps(body).encode()) == "INVALID_MODEL_OUTPUT"


@given(message=st.dictionaries(st.sampled_from(["content", "tool_calls", "refusal"]), json_values))
def test_no_message_breaks_the_reader(message: dict[str, Any]) -> None:
    pieces = whole(completion(message, "stop")).pieces
    assert outcome(b"".join(pieces)) in ("INVALID_MODEL_OUTPUT", "stop")


def outcome(body: bytes) -> str:
    """Give the code of a failure, or why the model stopped."""
    try:
        return native_sample(read_reply(body)).finish_reason
    except SampleFailed as failed:
        return failed.error.code


def test_an_answer_in_thousands_of_pieces_is_put_together(server: ModelServer) -> None:
    pieces = [bytes([byte]) for byte in json.dumps(said("x" * 3_000)).encode()]
    server.rule = always(Reply(pieces=pieces))
    output = asyncio.run(ask(server, question())).output
    assert output
    assert output.message.content == "x" * 3_000
