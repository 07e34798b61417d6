"""The format of OpenAI's responses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ditto_core import InvalidValue, JsonObject, Observation, ToolCall, ToolDefinition, quote

from .answering import text_of
from .asking import Asked, enter, kind_at, list_at, object_at
from .bad_call import BadCall
from .json_text import read_object
from .offering import offered

__all__ = ["answers", "calls", "message", "tools"]


def tools(definitions: Iterable[ToolDefinition]) -> list[JsonObject]:
    """Return what a request has as its ``tools``; schemas are copied and ``strict`` is false.

    Without that word this API would change the schemas: make every property required, for one. Raises
    :class:`~ditto_core.InvalidName` for a name that the API does not take, :class:`~ditto_core.DuplicateName` for
    two tools of one name, and :class:`~ditto_core.InvalidSchema` for a schema that is not that of an object.
    """
    return [
        {"type": "function", **told, "parameters": schema, "strict": False} for told, schema in offered(definitions)
    ]


def calls(reply: JsonObject) -> tuple[ToolCall | BadCall, ...]:
    """Return the function calls among the items of a reply, in its order; other items are the application's.

    Raises :class:`~ditto_core.InvalidValue`, with the path, for a reply of another shape, one that has not ended or
    has failed, or with a call that could not be answered: without an id, or with that of another.
    """
    return enter(_asked(reply), read_object)


def message(call: ToolCall | BadCall, observation: Observation) -> JsonObject:
    """Return the item that answers the call; one that failed starts with ``status: CODE: message``.

    Raises :class:`~ditto_core.InvalidValue` for the observation of another call.
    """
    text = text_of(call, observation)
    return {"type": "function_call_output", "call_id": call.id, "output": text}


def answers(pairs: Iterable[tuple[ToolCall | BadCall, Observation]]) -> list[JsonObject]:
    """Return the items that answer all calls of a reply, for the input of the next request."""
    return [message(call, observation) for call, observation in pairs]


def _asked(reply: JsonObject) -> Iterator[Asked]:
    status = object_at(reply, "reply").get("status")
    if status not in (None, "completed", "incomplete"):
        raise InvalidValue("reply.status", f"is {quote(status)}; only a reply that is completed or cut holds calls")
    for index, item in enumerate(list_at(reply.get("output"), "reply.output")):
        where = f"reply.output[{index}]"
        if kind_at(object_at(item, where), where) == "function_call":
            yield Asked(
                where=f"{where}.call_id",
                id=item.get("call_id"),
                name=item.get("name"),
                arguments=item.get("arguments"),
                problem=_problem(item),
            )


def _problem(item: JsonObject) -> str:
    """Say what is wrong with a call, whatever its arguments are."""
    if item.get("namespace") is not None:
        return "The call is of a function in a namespace; none is offered."
    if item.get("status") not in (None, "completed"):
        return "The reply was cut before the call was complete."
    return ""
