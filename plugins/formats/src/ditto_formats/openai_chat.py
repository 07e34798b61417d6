"""The format of OpenAI's chat completions, which many other servers speak as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ditto_core import InvalidValue, JsonObject, Observation, ToolCall, ToolDefinition, quote

from .answering import text_of
from .asking import Asked, enter, list_at, object_at
from .bad_call import BadCall
from .json_text import read_object
from .offering import offered

__all__ = ["answers", "calls", "message", "tools"]

_CUT = {
    "length": "The reply was cut at its limit of tokens, before the arguments were complete.",
    "content_filter": "The reply was cut by the content filter, before the arguments were complete.",
}


def tools(definitions: Iterable[ToolDefinition]) -> list[JsonObject]:
    """Return what a request has as its ``tools``; schemas are copied and not made ``strict``.

    Raises :class:`~ditto_core.InvalidName` for a name that the API does not take,
    :class:`~ditto_core.DuplicateName` for two tools of one name, and :class:`~ditto_core.InvalidSchema` for a schema
    that is not that of an object.
    """
    return [{"type": "function", "function": {**told, "parameters": schema}} for told, schema in offered(definitions)]


def calls(reply: JsonObject) -> tuple[ToolCall | BadCall, ...]:
    """Return the calls that the one choice of a reply asks for, in its order; none for a text or a refusal.

    Raises :class:`~ditto_core.InvalidValue`, with the path, for a reply of another shape, with more than one choice,
    or with a call that could not be answered: without an id, or with that of another.
    """
    return enter(_asked(reply), read_object)


def message(call: ToolCall | BadCall, observation: Observation) -> JsonObject:
    """Return the message that answers the call; one that failed starts with ``status: CODE: message``.

    Raises :class:`~ditto_core.InvalidValue` for the observation of another call.
    """
    text = text_of(call, observation)
    return {"role": "tool", "tool_call_id": call.id, "content": text}


def answers(pairs: Iterable[tuple[ToolCall | BadCall, Observation]]) -> list[JsonObject]:
    """Return the messages that answer all calls of a reply; they go right behind the reply's own message."""
    return [message(call, observation) for call, observation in pairs]


def _asked(reply: JsonObject) -> Iterator[Asked]:
    choices = list_at(object_at(reply, "reply").get("choices"), "reply.choices")
    if len(choices) != 1:
        raise InvalidValue("reply.choices", f"must hold one choice, not {len(choices):,}; read one at a time")
    choice = object_at(choices[0], "reply.choices[0]")
    path = "reply.choices[0].message"
    answer = object_at(choice.get("message"), path)
    if answer.get("function_call") is not None:
        raise InvalidValue(f"{path}.function_call", "is a call without an id, an old form; offer tools, not functions")
    if answer.get("tool_calls") is None:
        return
    reason = choice.get("finish_reason")
    cut = _CUT.get(reason, "") if type(reason) is str else ""
    for index, item in enumerate(list_at(answer["tool_calls"], f"{path}.tool_calls")):
        where = f"{path}.tool_calls[{index}]"
        call = object_at(item, where)
        function = call.get("function")
        named = function if type(function) is dict else {}
        yield Asked(
            where=f"{where}.id",
            id=call.get("id"),
            name=named.get("name"),
            arguments=named.get("arguments"),
            problem=_problem(call.get("type")),
            cut=cut,
        )


def _problem(kind: object) -> str:
    """Say what is wrong with a call of that type; some servers leave it out, and mean a function."""
    return "" if kind in (None, "function") else f"The call is of the type {quote(kind)}; only functions are offered."
