"""The format of Anthropic's messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ditto_core import InvalidSchema, JsonObject, JsonValue, Observation, ToolCall, ToolDefinition, describe

from .answering import text_of
from .asking import Asked, enter, kind_at, list_at, object_at
from .bad_call import BadCall
from .json_text import Unreadable
from .offering import offered

__all__ = ["answers", "calls", "message", "tools"]

_CUT = {
    "max_tokens": "The reply was cut at its limit of tokens, before the call was complete.",
    "model_context_window_exceeded": "The reply was cut at the end of its context, before the call was complete.",
    "refusal": "The reply was cut by a refusal, before the call was complete.",
    "stop_sequence": "The reply was cut by a stop sequence, before the call was complete.",
}
_REFUSED_AT_THE_TOP = ("allOf", "anyOf", "oneOf")


def tools(definitions: Iterable[ToolDefinition]) -> list[JsonObject]:
    """Return what a request has as its ``tools``; schemas are copied and not made ``strict``.

    Raises :class:`~ditto_core.InvalidName` for a name that the API does not take,
    :class:`~ditto_core.DuplicateName` for two tools of one name, and :class:`~ditto_core.InvalidSchema` for a schema
    that is not that of an object, or has ``allOf``, ``anyOf`` or ``oneOf`` at its top, which this API refuses.
    """
    return [{**told, "input_schema": _accepted(told, schema)} for told, schema in offered(definitions)]


def calls(reply: JsonObject) -> tuple[ToolCall | BadCall, ...]:
    """Return the calls among the blocks of a reply, in its order; other blocks are the application's.

    This API gives arguments that it has read itself, so half of them cannot be told from all: when a reply was cut,
    a call that is its last block cannot be made. Raises :class:`~ditto_core.InvalidValue`, with the path, for a reply
    of another shape or with a call that could not be answered: without an id, or with that of another.
    """
    return enter(_asked(reply), _arguments)


def message(call: ToolCall | BadCall, observation: Observation) -> JsonObject:
    """Return the block that answers the call; one that failed is an error and starts with ``status: CODE: message``.

    Raises :class:`~ditto_core.InvalidValue` for the observation of another call.
    """
    text = text_of(call, observation)
    return {
        "type": "tool_result",
        "tool_use_id": call.id,
        "content": text,
        "is_error": observation.status != "success",
    }


def answers(pairs: Iterable[tuple[ToolCall | BadCall, Observation]]) -> list[JsonObject]:
    """Return the one message that answers all calls of a reply, as this API wants it; nothing for no calls."""
    blocks: list[JsonValue] = [message(call, observation) for call, observation in pairs]
    return [{"role": "user", "content": blocks}] if blocks else []


def _accepted(told: JsonObject, schema: JsonObject) -> JsonObject:
    refused = [keyword for keyword in _REFUSED_AT_THE_TOP if keyword in schema]
    if refused:
        raise InvalidSchema(
            f"Tool {told['name']!r}: its schema has {refused[0]} at the top, and Anthropic's API refuses "
            "a request with such a tool. Leave the tool out, or say in its description what the keyword says."
        )
    return schema


def _asked(reply: JsonObject) -> Iterator[Asked]:
    blocks = list_at(object_at(reply, "reply").get("content"), "reply.content")
    reason = reply.get("stop_reason")
    cut = _CUT.get(reason, "") if type(reason) is str else ""
    for index, block in enumerate(blocks):
        where = f"reply.content[{index}]"
        if kind_at(object_at(block, where), where) == "tool_use":
            is_last = index == len(blocks) - 1
            yield Asked(
                where=f"{where}.id",
                id=block.get("id"),
                name=block.get("name"),
                arguments=block.get("input"),
                problem=_problem(block) or (cut if is_last else ""),
            )


def _problem(block: JsonObject) -> str:
    return "" if block.get("toolset_name") is None else "The call is of a tool in a toolset; none is offered."


def _arguments(value: object) -> JsonObject:
    if type(value) is not dict:
        raise Unreadable(f"must be a JSON object, not {describe(value)}")
    return value
