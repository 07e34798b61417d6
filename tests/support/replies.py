"""Replies of three APIs that ask for given calls, and the answers to them, whichever API it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import attrs

from ditto_core import JsonObject, ToolCall
from ditto_formats import anthropic_messages, openai_chat, openai_responses


@attrs.frozen(kw_only=True, eq=False)
class Format:
    """One API: how its replies ask for calls, where they stand, and what an answer says of itself."""

    module: ModuleType
    reply: Callable[[Sequence[Any]], JsonObject]
    item: Callable[[Any, Any, Any], JsonObject]
    path: str
    id: str
    answered: str
    text: str


def chat_reply(items: Sequence[Any], finish_reason: str = "tool_calls") -> JsonObject:
    """Give a reply of the chat completions with these tool calls."""
    message: JsonObject = {"role": "assistant", "content": None, "refusal": None, "tool_calls": list(items)}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": "some-model",
        "choices": [{"index": 0, "finish_reason": finish_reason, "logprobs": None, "message": message}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
    }


def chat_call(id: Any, name: Any, arguments: Any) -> JsonObject:
    """Give a tool call of the chat completions."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def responses_reply(items: Sequence[Any], status: str = "completed") -> JsonObject:
    """Give a reply of the responses with these items behind one of reasoning and one of text."""
    said = {"type": "output_text", "text": "I look.", "annotations": []}
    before: list[Any] = [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [said]},
    ]
    return {"id": "resp_1", "object": "response", "status": status, "error": None, "output": [*before, *items]}


def responses_call(id: Any, name: Any, arguments: Any) -> JsonObject:
    """Give a function call of the responses."""
    return {
        "type": "function_call",
        "id": "fc_1",
        "call_id": id,
        "name": name,
        "arguments": arguments,
        "status": "completed",
    }


def messages_reply(items: Sequence[Any], stop_reason: str = "tool_use") -> JsonObject:
    """Give a reply of the messages with these blocks behind one of thinking and one of text."""
    before: list[Any] = [
        {"type": "thinking", "thinking": "…", "signature": "c2ln"},
        {"type": "text", "text": "I look."},
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "some-model",
        "content": [*before, *items],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 9},
    }


def messages_call(id: Any, name: Any, arguments: Any) -> JsonObject:
    """Give a tool use of the messages; arguments that are given as text are read, as the API reads them."""
    return {
        "type": "tool_use",
        "id": id,
        "name": name,
        "input": json.loads(arguments) if isinstance(arguments, str) else arguments,
    }


CHAT = Format(
    module=openai_chat,
    reply=chat_reply,
    item=chat_call,
    path="reply.choices[0].message.tool_calls[{}]",
    id="id",
    answered="tool_call_id",
    text="content",
)
RESPONSES = Format(
    module=openai_responses,
    reply=responses_reply,
    item=responses_call,
    path="reply.output[{}]",
    id="call_id",
    answered="call_id",
    text="output",
)
MESSAGES = Format(
    module=anthropic_messages,
    reply=messages_reply,
    item=messages_call,
    path="reply.content[{}]",
    id="id",
    answered="tool_use_id",
    text="content",
)
FORMATS = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES}
FIRST = {"chat": 0, "responses": 2, "messages": 2}
"""Where the first call of such a reply stands."""


def asked(format: Format, calls: Sequence[ToolCall]) -> JsonObject:
    """Give the reply that asks for these calls, as it comes over the wire."""
    items = [format.item(call.id, call.name, json.dumps(call.arguments)) for call in calls]
    reply: JsonObject = json.loads(json.dumps(format.reply(items)))
    return reply
