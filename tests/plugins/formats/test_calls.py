"""What a reply asks for: the same calls in any API's form, and one that cannot be made is told as such."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, ToolCall
from ditto_formats import BadCall, anthropic_messages, openai_chat, openai_responses
from ditto_formats.asking import MAX_CALLS
from tests.support.replies import (
    CHAT,
    FIRST,
    FORMATS,
    RESPONSES,
    Format,
    asked,
    chat_call,
    chat_reply,
    messages_call,
    messages_reply,
    responses_call,
    responses_reply,
)
from tests.support.strategies import NOT_JSON, calls, json_values

each_format = pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
each_openai = pytest.mark.parametrize("format", [CHAT, RESPONSES], ids=["chat", "responses"])
several = st.lists(calls, max_size=4, unique_by=lambda call: call.id)


@pytest.mark.promise("D-MCP-09")
@each_format
@given(given=several)
def test_calls_come_back_as_they_were_asked_for(format: Format, given: list[ToolCall]) -> None:
    reply = asked(format, given)
    before = json.dumps(reply)
    assert list(format.module.calls(reply)) == given
    assert json.dumps(reply) == before


@each_format
def test_calls_and_bad_calls_keep_their_order(format: Format) -> None:
    items = [format.item("a", "one", "{}"), format.item("b", "", "{}"), format.item("c", "three", '{"n": 1}')]
    found = format.module.calls(format.reply(items))
    assert [(type(call), call.id) for call in found] == [(ToolCall, "a"), (BadCall, "b"), (ToolCall, "c")]


@pytest.mark.parametrize(
    ("module", "reply"),
    [
        (openai_chat, {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}]}),
        (
            openai_chat,
            {"choices": [{"finish_reason": "stop", "message": {"content": None, "refusal": "I will not."}}]},
        ),
        (openai_chat, {"choices": [{"message": {"content": "hi", "tool_calls": None, "function_call": None}}]}),
        (openai_chat, chat_reply([])),
        (openai_responses, responses_reply([])),
        (openai_responses, {"output": [{"type": "web_search_call", "id": "ws_1", "status": "completed"}]}),
        (openai_responses, responses_reply([{"type": "custom_tool_call", "call_id": "c", "name": "x", "input": "y"}])),
        (anthropic_messages, messages_reply([], "end_turn")),
        (anthropic_messages, messages_reply([], "refusal")),
        (anthropic_messages, {"content": []}),
        (
            anthropic_messages,
            messages_reply([{"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}]),
        ),
    ],
)
def test_a_reply_that_asks_for_nothing_of_ours_has_no_calls(module: Any, reply: Any) -> None:
    assert module.calls(reply) == ()


@pytest.mark.case("TOOL-04")
@each_openai
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (None, "The JSON of the arguments must be text that holds a JSON object, not None."),
        ({"a": 1}, "The JSON of the arguments must be text that holds a JSON object, not a dict."),
        ("", "The JSON of the arguments is empty; {} stands for none."),
        ("[]", "The JSON of the arguments must be a JSON object, not a list."),
        ('"{}"', "The JSON of the arguments must be a JSON object, not a string."),
        ('{"a": 1, "a": 2}', "The JSON of the arguments has the key 'a' twice in one object; keep one."),
        ('{"a": NaN}', "The JSON of the arguments holds NaN, which is no JSON; give a finite number."),
        ('{"a": "\\ud800"}', "arguments.a: holds a lone surrogate, which UTF-8 cannot write"),
        ('{"\\udc00": 1}', "arguments: has a key with a lone surrogate, which UTF-8 cannot write."),
    ],
)
def test_arguments_that_cannot_be_read_are_a_bad_call(format: Format, arguments: Any, reason: str) -> None:
    (call,) = format.module.calls(format.reply([format.item("call_1", "read", arguments)]))
    assert type(call) is BadCall
    assert (call.id, call.name) == ("call_1", "read")
    assert call.reason.startswith(reason)


@each_format
@pytest.mark.parametrize("name", [None, "", 5, ["read"]])
def test_a_call_that_names_no_tool_is_a_bad_call(format: Format, name: Any) -> None:
    (call,) = format.module.calls(format.reply([format.item("call_1", name, "{}")]))
    assert call == BadCall(id="call_1", name="", reason="The call names no tool.")


@each_format
def test_a_name_that_is_no_tools_is_for_the_runtime_to_refuse(format: Format) -> None:
    (call,) = format.module.calls(format.reply([format.item("call_1", "functions.read text", "{}")]))
    assert call == ToolCall(id="call_1", name="functions.read text", arguments={})


@each_format
def test_a_name_that_cannot_be_written_is_a_bad_call(format: Format) -> None:
    (call,) = format.module.calls(format.reply([format.item("call_1", "a\ud800", "{}")]))
    assert type(call) is BadCall
    assert call.name == "a\\ud800"


@each_format
@pytest.mark.parametrize("id", [None, "", 5, "\ud800", ["a"]])
def test_a_call_that_cannot_be_answered_is_refused_by_its_path(format: Format, id: Any) -> None:
    name = next(name for name, one in FORMATS.items() if one is format)
    with pytest.raises(InvalidValue, match="cannot be answered") as refusal:
        format.module.calls(format.reply([format.item("a", "read", "{}"), format.item(id, "read", "{}")]))
    assert refusal.value.field == f"{format.path.format(FIRST[name] + 1)}.{format.id}"


@each_format
def test_two_calls_of_one_id_are_refused(format: Format) -> None:
    items = [format.item("a", "one", "{}"), format.item("a", "two", "{}")]
    with pytest.raises(InvalidValue, match=r"is the same as reply\."):
        format.module.calls(format.reply(items))


@each_format
def test_the_number_of_calls_is_bounded(format: Format) -> None:
    items = [format.item(f"call_{number}", "read", "{}") for number in range(MAX_CALLS + 1)]
    assert len(format.module.calls(format.reply(items[:-1]))) == MAX_CALLS
    with pytest.raises(InvalidValue, match="1,024"):
        format.module.calls(format.reply(items))


# What each API does in a way of its own.


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_arguments_that_were_cut_say_so(reason: str) -> None:
    whole, half = chat_call("a", "read", '{"path": "a"}'), chat_call("b", "read", '{"path": "a')
    first, second = openai_chat.calls(chat_reply([whole, half], reason))
    assert first == ToolCall(id="a", name="read", arguments={"path": "a"})
    assert type(second) is BadCall
    assert second.reason.startswith("The reply was cut ")


@pytest.mark.parametrize("status", ["incomplete", "in_progress", "failed", 5])
def test_a_call_that_is_not_complete_is_a_bad_call(status: Any) -> None:
    item = {**responses_call("a", "read", '{"path": "a"}'), "status": status}
    (call,) = openai_responses.calls(responses_reply([item], "incomplete"))
    assert call == BadCall(id="a", name="read", reason="The reply was cut before the call was complete.")


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded", "refusal", "stop_sequence"])
def test_the_last_call_of_a_reply_that_was_cut_cannot_be_made(reason: str) -> None:
    items = [messages_call("a", "read", {"path": "a"}), messages_call("b", "read", {})]
    first, second = anthropic_messages.calls(messages_reply(items, reason))
    assert first == ToolCall(id="a", name="read", arguments={"path": "a"})
    assert type(second) is BadCall
    assert second.reason.startswith("The reply was cut ")


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_a_call_before_the_block_that_was_cut_is_whole(reason: str) -> None:
    items = [messages_call("a", "read", {}), {"type": "text", "text": "and th"}]
    assert anthropic_messages.calls(messages_reply(items, reason)) == (ToolCall(id="a", name="read", arguments={}),)


@pytest.mark.parametrize("value", [None, [], "{}", 5, True])
def test_arguments_that_are_no_object_are_a_bad_call(value: Any) -> None:
    (call,) = anthropic_messages.calls(messages_reply([{**messages_call("a", "read", {}), "input": value}]))
    assert type(call) is BadCall
    assert call.reason.startswith("The JSON of the arguments must be a JSON object, not ")


@pytest.mark.case("JSON-08")
@pytest.mark.parametrize("bad", NOT_JSON.values(), ids=NOT_JSON)
def test_arguments_that_are_no_json_are_a_bad_call(bad: Any) -> None:
    (call,) = anthropic_messages.calls(messages_reply([messages_call("a", "read", {"x": bad})]))
    assert type(call) is BadCall
    assert call.result().error


@pytest.mark.parametrize(
    ("module", "reply"),
    [
        (openai_chat, chat_reply([{"id": "a", "type": "custom", "custom": {"name": "sql", "input": "select"}}])),
        (openai_chat, chat_reply([{**chat_call("a", "read", "{}"), "type": ["function"]}])),
        (openai_chat, chat_reply([{"id": "a", "type": "function", "function": None}])),
        (openai_chat, chat_reply([{"id": "a", "type": "function"}])),
        (openai_responses, responses_reply([{**responses_call("a", "read", "{}"), "namespace": "crm"}])),
        (anthropic_messages, messages_reply([{**messages_call("a", "click", {}), "toolset_name": "browser"}])),
    ],
)
def test_a_call_of_a_kind_that_was_not_offered_is_a_bad_call(module: Any, reply: Any) -> None:
    (call,) = module.calls(reply)
    assert type(call) is BadCall
    assert call.id == "a"


def test_a_server_that_leaves_the_type_out_means_a_function() -> None:
    item = chat_call("a", "read", "{}")
    for other in (None, "function"):
        assert openai_chat.calls(chat_reply([{**item, "type": other}])) == openai_chat.calls(chat_reply([item]))
    del item["type"]
    assert type(openai_chat.calls(chat_reply([item]))[0]) is ToolCall


@pytest.mark.parametrize(
    ("module", "reply", "path"),
    [
        *(
            (module, other, "reply")
            for module in (openai_chat, openai_responses, anthropic_messages)
            for other in (None, [], "{}", 5)
        ),
        (openai_chat, {"error": {"message": "no", "type": "server_error"}}, "reply.choices"),
        (openai_chat, {"choices": []}, "reply.choices"),
        (openai_chat, {"choices": [{"message": {}}, {"message": {}}]}, "reply.choices"),
        (openai_chat, {"choices": [None]}, "reply.choices[0]"),
        (openai_chat, {"choices": [{"delta": {}}]}, "reply.choices[0].message"),
        (openai_chat, {"choices": [{"message": {"tool_calls": {}}}]}, "reply.choices[0].message.tool_calls"),
        (openai_chat, {"choices": [{"message": {"tool_calls": [7]}}]}, "reply.choices[0].message.tool_calls[0]"),
        (
            openai_chat,
            {"choices": [{"message": {"function_call": {"name": "a", "arguments": "{}"}}}]},
            "reply.choices[0].message.function_call",
        ),
        (openai_responses, {"error": {"message": "no"}}, "reply.output"),
        (openai_responses, {"status": "failed", "output": []}, "reply.status"),
        (openai_responses, {"status": "in_progress", "output": []}, "reply.status"),
        (openai_responses, {"status": ["completed"], "output": []}, "reply.status"),
        (openai_responses, {"output": [None]}, "reply.output[0]"),
        (openai_responses, {"output": [{"call_id": "a"}]}, "reply.output[0].type"),
        (anthropic_messages, {"type": "error", "error": {"type": "overloaded_error"}}, "reply.content"),
        (anthropic_messages, {"content": "hi"}, "reply.content"),
        (anthropic_messages, {"content": ["hi"]}, "reply.content[0]"),
        (anthropic_messages, {"content": [{"type": None}]}, "reply.content[0].type"),
    ],
)
def test_a_reply_of_another_shape_is_refused_by_its_path(module: Any, reply: Any, path: str) -> None:
    with pytest.raises(InvalidValue) as refusal:
        module.calls(reply)
    assert refusal.value.field == path


def test_an_object_of_an_sdk_is_told_how_to_become_json() -> None:
    class ChatCompletion:
        def model_dump(self) -> dict[str, Any]:
            return {}

    with pytest.raises(InvalidValue, match=r"not a ChatCompletion; of an SDK's object give model_dump\(\)"):
        openai_chat.calls(ChatCompletion())  # type: ignore[arg-type]


@each_format
@given(data=st.data())
def test_no_reply_ends_in_anything_but_calls_or_a_refusal(format: Format, data: st.DataObject) -> None:
    """Put any JSON anywhere into a good reply."""
    reply = format.reply([format.item("a", "read", '{"b": 1}'), format.item("c", "read", "{}")])
    places = list(inside(reply))
    holder, key = data.draw(st.sampled_from(places))
    changed = copy.deepcopy(reply)
    target: Any = changed
    for step in holder:
        target = target[step]
    target[key] = data.draw(json_values)
    found: tuple[ToolCall | BadCall, ...] = ()
    field = "reply"
    try:
        found = format.module.calls(changed)
    except InvalidValue as refusal:
        field = refusal.field
    assert field.startswith("reply")
    assert {type(call) for call in found} <= {ToolCall, BadCall}
    assert len({call.id for call in found}) == len(found)


def inside(value: Any, above: tuple[Any, ...] = ()) -> Any:
    """Give the place of each value that is inside."""
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in rows:
        yield above, key
        yield from inside(one, (*above, key))
