"""From a sample's input to the body of a request."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from ditto_core import JsonObject, ToolCall, ToolDefinition, from_wire
from ditto_formats import openai_chat
from ditto_infer import Action, Generation, ModelMessage, SampleFailed, SampleInput

from .json_text import write

TokensName: TypeAlias = Literal["max_completion_tokens", "max_tokens"]
"""The name under which an endpoint takes the most tokens that it may write."""

RESERVED: Final = frozenset(
    {"model", "messages", "stream", "stream_options", "tools", "functions", "function_call", "n", "response_format"}
)
"""What a provider's options may not set, for it is what the input says or what the reply is read by."""

PROVIDER: Final = "openai-compatible"
"""What stands as ``provider`` in the metadata of a message that came from here."""


def body_of(input: SampleInput, *, tokens_name: TokensName) -> dict[str, Any]:
    """Return the body of a request with native tool calls; raises :class:`SampleFailed` for what cannot be sent."""
    body = common(input, tokens_name=tokens_name)
    body["messages"] = [_message(message) for message in input.messages]
    if input.actions:
        body["tools"] = openai_chat.tools(map(definition, input.actions))
    if input.output_schema:
        body["response_format"] = schema_format("answer", input.output_schema)
    return body


def common(input: SampleInput, *, tokens_name: TokensName) -> dict[str, Any]:
    """Return what is the same in every way to ask for actions: the model, one choice, and how it is to write."""
    options = dict(input.model.provider_options or {})
    refused = sorted(RESERVED & options.keys())
    if refused:
        raise SampleFailed("INVALID_INPUT", f"The provider's options may not set {', '.join(refused)}.")
    return {
        **options,
        **_generation(input.generation or Generation(), tokens_name),
        "model": input.model.model,
        "n": 1,
    }


def schema_format(name: str, schema: JsonObject) -> JsonObject:
    """Return what asks for JSON of a schema."""
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}}


def requests_in(message: ModelMessage) -> list[ToolCall]:
    """Return the requests that a turn of the model's had, from its metadata."""
    given = (message.metadata or {}).get("actionRequests")
    if message.role != "assistant" or given is None:
        return []
    try:
        if type(given) is not list:
            raise TypeError
        return [from_wire(ToolCall, request) for request in given]
    except (TypeError, ValueError):
        raise SampleFailed(
            "INVALID_INPUT", "The actionRequests in a message's metadata are no list of requests."
        ) from None


def definition(action: Action) -> ToolDefinition:
    """Return an action as the formats take it."""
    return ToolDefinition(name=action.name, description=action.description, input_schema=action.input_schema)


def _generation(generation: Generation, tokens_name: TokensName) -> dict[str, Any]:
    told = {
        "temperature": generation.temperature,
        "top_p": generation.top_p,
        "top_k": generation.top_k,
        tokens_name: generation.max_tokens,
        "stop": list(generation.stop) if generation.stop else None,
        "seed": generation.seed,
    }
    return {name: value for name, value in told.items() if type(value) in (int, float, list)}


def _message(message: ModelMessage) -> dict[str, Any]:
    metadata = message.metadata or {}
    if message.role == "tool":
        return {"role": "tool", "content": message.content, "tool_call_id": metadata["actionRequestId"]}
    written: dict[str, Any] = {"role": message.role, "content": message.content}
    calls = [_call(request) for request in requests_in(message)]
    if calls:
        written["content"] = message.content or None
        written["tool_calls"] = calls
    if metadata.get("provider") == PROVIDER and type(metadata.get("reasoningContent")) is str:
        written["reasoning_content"] = metadata["reasoningContent"]
    return written


def _call(request: ToolCall) -> dict[str, Any]:
    function = {"name": request.name, "arguments": write(request.arguments)}
    return {"id": request.id, "type": "function", "function": function}
