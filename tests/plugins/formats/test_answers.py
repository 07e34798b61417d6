"""What goes back: the answer to each call, under its id, with its failure and everything that a model can read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    ExternalResult,
    InteractionError,
    InvalidValue,
    JsonPart,
    JsonValue,
    Message,
    Observation,
    ObserveInput,
    Reference,
    ReferencePart,
    TextPart,
    ToolCall,
    observe,
)
from ditto_formats import BadCall, anthropic_messages, openai_chat, openai_responses
from tests.support.replies import FORMATS, Format
from tests.support.strategies import NOT_JSON, json_values, results

each_format = pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
CALL = ToolCall(id="call_1", name="read", arguments={})
DENIED = InteractionError(code="DENIED", message="Not today.")


def seen(**fields: Any) -> Observation:
    """Give the observation of a result of the call."""
    fields = {"call_id": "call_1", "source": "read", "status": "success", **fields}
    return observe(ObserveInput(result=ExternalResult(**fields)))


@pytest.mark.promise("D-MCP-09")
def test_each_api_gets_its_own_form() -> None:
    good = seen(content="three lines")
    assert openai_chat.message(CALL, good) == {"role": "tool", "tool_call_id": "call_1", "content": "three lines"}
    assert openai_responses.message(CALL, good) == {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": "three lines",
    }
    assert anthropic_messages.message(CALL, good) == {
        "type": "tool_result",
        "tool_use_id": "call_1",
        "content": "three lines",
        "is_error": False,
    }


@each_format
@pytest.mark.parametrize("status", ["failed", "cancelled", "timeout", "unknown"])
def test_a_failure_stands_first(format: Format, status: str) -> None:
    answer = format.module.message(CALL, seen(status=status, error=DENIED, content="more"))
    assert answer[format.text] == f"{status}: DENIED: Not today.\nmore"
    assert answer.get("is_error", True) is True


@each_format
def test_every_part_is_carried(format: Format) -> None:
    observation = seen(
        content=(TextPart(text="body"), JsonPart(data=[1, "é"])),
        structured_content={"meta": None},
        references=(Reference(uri="file:///a", media_type="text/plain", digest="sha256:00"),),
    )
    assert format.module.message(CALL, observation)[format.text].split("\n") == [
        "body",
        '[1,"é"]',
        '{"meta":null}',
        '{"reference":{"uri":"file:///a","mediaType":"text/plain","digest":"sha256:00"}}',
    ]


@each_format
def test_json_that_a_text_says_already_is_told_once(format: Format) -> None:
    told = format.module.message(CALL, seen(content='{"b": [1.0],\n "a": 1}', structured_content={"a": 1, "b": [1.0]}))
    assert told[format.text] == '{"b": [1.0],\n "a": 1}'


@each_format
@pytest.mark.parametrize("text", ['{"a": 1.0}', '{"a": true}', '{"a": 1, "a": 1}', '{"a": 1} ok', "1", '"a"'])
def test_json_that_differs_is_told(format: Format, text: str) -> None:
    told = format.module.message(CALL, seen(content=text, structured_content={"a": 1}))
    assert told[format.text] == text + '\n{"a":1}'


@each_format
@pytest.mark.parametrize("kind", ["image/png", ""])
def test_no_base64_gets_into_a_text(format: Format, kind: str) -> None:
    uri = f"DATA:{kind};base64,{'QUJD' * 500}"
    text = format.module.message(CALL, seen(references=(Reference(uri=uri),)))[format.text]
    assert text == json.dumps(
        {"notCarried": f"a data: URI of '{kind or 'text/plain'}', {len(uri):,} characters"}
    ).replace('": "', '":"')


@each_format
@pytest.mark.parametrize("content", ["", " \n\t", (TextPart(text=""), TextPart(text="\n"))])
def test_an_answer_is_never_empty(format: Format, content: Any) -> None:
    assert format.module.message(CALL, seen(content=content))[format.text] == "(empty)"


@each_format
@given(result=results)
def test_any_observation_keeps_its_id_and_its_failure(format: Format, result: ExternalResult) -> None:
    call = ToolCall(id=result.call_id, name="read", arguments={})
    answer = format.module.message(call, observe(ObserveInput(result=result)))
    assert answer[format.answered] == result.call_id
    text = answer[format.text]
    assert text.strip()
    if result.status != "success" and result.error:
        assert text.startswith(f"{result.status}: {result.error.code}: {result.error.message}")
    assert answer.get("is_error", result.status != "success") is (result.status != "success")
    assert json.loads(json.dumps(answer)) == answer
    assert list(answer) == list(format.module.message(call, observe(ObserveInput(result=result))))


@each_format
@given(value=json_values)
def test_any_json_can_be_read_in_the_text(format: Format, value: JsonValue) -> None:
    text = format.module.message(CALL, seen(structured_content=value))[format.text]
    assert json.dumps(json.loads(text)) == json.dumps(value)


@each_format
@given(value=json_values.filter(lambda value: type(value) in (dict, list)), indent=st.sampled_from([None, 2]))
def test_any_json_that_is_given_twice_is_told_once(format: Format, value: JsonValue, indent: int | None) -> None:
    written = json.dumps(value, indent=indent)
    assert format.module.message(CALL, seen(content=written, structured_content=value))[format.text] == written


@each_format
def test_a_failure_that_the_message_of_somebody_else_lacks_is_told(format: Format) -> None:
    for content, rest in (("no luck", "no luck"), ({"why": 1}, '{"why":1}'), ((JsonPart(data=0),), "0")):
        message = Message(role="tool", content=content)  # type: ignore[arg-type]
        observation = Observation(call_id="call_1", source="s:t", status="failed", message=message, error=DENIED)
        assert format.module.message(CALL, observation)[format.text] == f"failed: DENIED: Not today.\n{rest}"


@pytest.mark.case("JSON-08")
@each_format
@pytest.mark.parametrize("bad", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_no_json_is_refused(format: Format, bad: Any) -> None:
    message = Message(role="tool", content=(JsonPart(data={"x": bad}),))
    with pytest.raises(InvalidValue, match=r"^Observation"):
        format.module.message(CALL, Observation(call_id="call_1", source="a", status="success", message=message))


@each_format
def test_an_answer_to_another_call_is_refused(format: Format) -> None:
    with pytest.raises(InvalidValue, match=r"^observation\.callId: is 'call_2', but the call is 'call_1'"):
        format.module.message(CALL, seen(call_id="call_2", content="x"))


@each_format
def test_what_is_no_call_or_no_observation_is_refused(format: Format) -> None:
    with pytest.raises(InvalidValue, match=r"^call: must be a ToolCall or a BadCall, not None"):
        format.module.message(None, seen(content="x"))
    result = ExternalResult(call_id="call_1", source="read", status="success", content="x")
    with pytest.raises(InvalidValue, match=r"^observation: must be an Observation, not an ExternalResult"):
        format.module.message(CALL, result)


@each_format
def test_a_bad_call_is_answered_like_any_other(format: Format) -> None:
    bad = BadCall(id="call_1", name="", reason="The call names no tool.")
    answer = format.module.message(bad, observe(ObserveInput(result=bad.result())))
    assert answer[format.answered] == "call_1"
    assert answer[format.text] == "failed: INVALID_TOOL_CALL: The call names no tool."


def test_all_calls_of_a_reply_are_answered_as_the_api_wants_it() -> None:
    pairs = [(ToolCall(id=id, name="read", arguments={}), seen(call_id=id, content=id)) for id in ("a", "b")]
    assert openai_chat.answers(pairs) == [openai_chat.message(*pair) for pair in pairs]
    assert openai_responses.answers(iter(pairs)) == [openai_responses.message(*pair) for pair in pairs]
    assert anthropic_messages.answers(pairs) == [
        {"role": "user", "content": [anthropic_messages.message(*pair) for pair in pairs]}
    ]


@each_format
def test_no_calls_have_no_answers(format: Format) -> None:
    assert format.module.answers([]) == []


def test_a_reference_part_of_the_content_is_carried_too() -> None:
    observation = seen(content=(ReferencePart(reference=Reference(uri="s3://b/k")),))
    assert openai_chat.message(CALL, observation)["content"] == '{"reference":{"uri":"s3://b/k"}}'
