"""From the body of a reply to a sample."""

from __future__ import annotations

from typing import Any, Final

import attrs

from ditto_core import UNSET, InvalidValue, JsonObject, ToolCall, Unset, safe_message
from ditto_formats import BadCall, openai_chat
from ditto_infer import FinishReason, ModelMessage, Sample, SampleFailed, Usage

from .json_text import Unreadable, clean, read_object
from .request import PROVIDER

_FINISHED: Final[dict[str, FinishReason]] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "action_request",
    "content_filter": "error",
}
_MOST: Final = 2**53 - 1  # as a counter


@attrs.frozen(kw_only=True)
class Reply:
    """What a reply says, its calls not yet read; ``whole`` is all of it."""

    whole: dict[str, Any]
    text: str
    finish_reason: FinishReason
    metadata: JsonObject
    usage: Usage | Unset


def read_reply(body: bytes) -> Reply:
    """Return what the one choice of a reply says; raises :class:`SampleFailed`."""
    try:
        whole = read_object(body)
        choices = whole.get("choices")
        if type(choices) is not list or len(choices) != 1 or type(choices[0]) is not dict:
            raise Unreadable("it has not exactly one choice")
        message = choices[0].get("message")
        if type(message) is not dict or message.get("role", "assistant") != "assistant":
            raise Unreadable("it has no message of the assistant")
        finish = choices[0].get("finish_reason")
        if type(finish) is not str or finish not in _FINISHED:
            raise Unreadable("its finish_reason is none that Ditto knows")
        return Reply(
            whole=whole,
            text=_text(message, "content"),
            finish_reason=_FINISHED[finish],
            metadata=_metadata(message),
            usage=_usage(whole.get("usage")),
        )
    except Unreadable as problem:
        raise SampleFailed("INVALID_MODEL_OUTPUT", f"The reply cannot be used: {problem}.") from None


def native_sample(reply: Reply) -> Sample:
    """Return the sample of a reply with native tool calls; raises :class:`SampleFailed`."""
    try:
        calls = openai_chat.calls(reply.whole)
    except InvalidValue as error:
        raise SampleFailed(
            "INVALID_MODEL_OUTPUT", safe_message(f"{error}.", "The calls of the reply cannot be told apart.")
        ) from None
    if calls and reply.finish_reason == "length":
        raise SampleFailed("INCOMPLETE_MODEL_OUTPUT", "The reply was cut before its calls were complete.")
    requests: list[ToolCall] = []
    for call in calls:
        if isinstance(call, BadCall):
            raise SampleFailed(
                "INVALID_MODEL_OUTPUT", safe_message(call.reason, "A call of the reply cannot be made.")
            )
        requests.append(call)
    return sample_of(reply, reply.text, reply.finish_reason, tuple(requests))


def sample_of(reply: Reply, text: str, finish: FinishReason, requests: tuple[ToolCall, ...]) -> Sample:
    """Return the sample with this text and these requests; raises :class:`SampleFailed`."""
    message = ModelMessage(role="assistant", content=text, metadata=reply.metadata)
    try:
        return Sample(message=message, finish_reason=finish, action_requests=requests, usage=reply.usage)
    except InvalidValue as error:
        raise SampleFailed(
            "INVALID_MODEL_OUTPUT", safe_message(f"{error}.", "The reply contradicts itself.")
        ) from None


def _text(message: dict[str, Any], key: str) -> str:
    text = message.get(key)
    if text is None:
        return ""
    if type(text) is not str:
        raise Unreadable(f"its {key} is no text")
    return clean(text)


def _metadata(message: dict[str, Any]) -> JsonObject:
    """Return what the next request has to repeat, and what the model said instead of an answer."""
    said = {"reasoningContent": _text(message, "reasoning_content"), "refusal": _text(message, "refusal")}
    return {"provider": PROVIDER, **{name: text for name, text in said.items() if text}}


def _usage(usage: object) -> Usage | Unset:
    """Return the counters that are there; one that is missing, or is no count, is not invented."""
    if type(usage) is not dict:
        return UNSET
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    return Usage(
        input_tokens=_count(usage, "prompt_tokens"),
        output_tokens=_count(usage, "completion_tokens"),
        total_tokens=_count(usage, "total_tokens"),
        cached_tokens=_count(prompt, "cached_tokens"),
        reasoning_tokens=_count(completion, "reasoning_tokens"),
    )


def _count(counters: object, name: str) -> int | Unset:
    value = counters.get(name) if type(counters) is dict else None
    return value if type(value) is int and 0 <= value <= _MOST else UNSET
