"""Calls, results and observations: what goes to a tool and what comes back.

A result keeps the identity of its call, its status and its failure, all the way into the observation. Every
constructor checks shape, scalars, names, statuses and error text; JSON is walked once, where a value enters.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import attrs

from ..errors import InvalidValue
from ..text import quote
from .checks import check_exact, check_name, check_object, check_tuple
from .content import Message, MessageContent, Reference, check_parts, enter_content
from .interaction_error import InteractionError
from .json_values import JsonObject, JsonValue, check_json
from .record import Record
from .unset import UNSET, Unset

Status: TypeAlias = Literal["success", "failed", "cancelled", "timeout", "unknown"]
"""How an action ended. ``unknown`` asks for verification before anything is tried again."""

STATUSES: frozenset[str] = frozenset(get_args(Status))


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class ToolCall(Record):
    """A request for one action: ``id`` correlates the result, ``name`` selects the tool, ``arguments`` are JSON.

    The id makes no transaction and suppresses nothing. Raises :class:`InvalidValue`.
    """

    id: str
    name: str
    arguments: JsonObject

    def __init__(
        self,
        *,
        id: str,
        name: str,
        arguments: JsonObject,
    ) -> None:
        check_name(id, "ToolCall.id")
        check_name(name, "ToolCall.name")
        check_object(arguments, "ToolCall.arguments")
        values = self.__dict__
        values["id"] = id
        values["name"] = name
        values["arguments"] = arguments


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class ToolOutcome(Record):
    """What a tool's ``execute`` returns; the core adds the call's id and the tool's name.

    A success needs content, structured content or references present (``None`` is null and present); every other
    status needs an error. Raises :class:`InvalidValue`.
    """

    status: Status = "success"
    content: MessageContent | Unset = UNSET
    structured_content: JsonValue | Unset = UNSET
    references: tuple[Reference, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __init__(
        self,
        *,
        status: Status = "success",
        content: MessageContent | Unset = UNSET,
        structured_content: JsonValue | Unset = UNSET,
        references: tuple[Reference, ...] | Unset = UNSET,
        error: InteractionError | Unset = UNSET,
        metadata: JsonObject | Unset = UNSET,
    ) -> None:
        _check_outcome("ToolOutcome", status, error, references, metadata)
        _check_content("ToolOutcome", status, content, structured_content, references)
        values = self.__dict__
        values["status"] = status
        values["content"] = content
        values["structured_content"] = structured_content
        values["references"] = references
        values["error"] = error
        values["metadata"] = metadata


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class ExternalResult(Record):
    """The outcome of one call with the identity of that call; the rules are those of :class:`ToolOutcome`.

    ``source`` is the tool's name, or ``server:tool`` for an MCP call.
    """

    call_id: str
    source: str
    status: Status
    content: MessageContent | Unset = UNSET
    structured_content: JsonValue | Unset = UNSET
    references: tuple[Reference, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __init__(
        self,
        *,
        call_id: str,
        source: str,
        status: Status,
        content: MessageContent | Unset = UNSET,
        structured_content: JsonValue | Unset = UNSET,
        references: tuple[Reference, ...] | Unset = UNSET,
        error: InteractionError | Unset = UNSET,
        metadata: JsonObject | Unset = UNSET,
    ) -> None:
        check_name(call_id, "ExternalResult.callId")
        check_name(source, "ExternalResult.source")
        _check_outcome("ExternalResult", status, error, references, metadata)
        _check_content("ExternalResult", status, content, structured_content, references)
        values = self.__dict__
        values["call_id"] = call_id
        values["source"] = source
        values["status"] = status
        values["content"] = content
        values["structured_content"] = structured_content
        values["references"] = references
        values["error"] = error
        values["metadata"] = metadata


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class Observation(Record):
    """A result as a model reads it: everything of the result but its content, which is in ``message``.

    ``message`` has the role ``tool`` and the source as its name.
    """

    call_id: str
    source: str
    status: Status
    message: Message
    structured_content: JsonValue | Unset = UNSET
    references: tuple[Reference, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __init__(
        self,
        *,
        call_id: str,
        source: str,
        status: Status,
        message: Message,
        structured_content: JsonValue | Unset = UNSET,
        references: tuple[Reference, ...] | Unset = UNSET,
        error: InteractionError | Unset = UNSET,
        metadata: JsonObject | Unset = UNSET,
    ) -> None:
        check_name(call_id, "Observation.callId")
        check_name(source, "Observation.source")
        check_exact(message, Message, "Observation.message")
        _check_outcome("Observation", status, error, references, metadata)
        values = self.__dict__
        values["call_id"] = call_id
        values["source"] = source
        values["status"] = status
        values["message"] = message
        values["structured_content"] = structured_content
        values["references"] = references
        values["error"] = error
        values["metadata"] = metadata


# The checks take values and not the object: code that reads the attributes of one class only is the fast one.


def _check_outcome(kind: str, status: object, error: object, references: object, metadata: object) -> None:
    """The rules that an outcome keeps from the tool to the observation."""
    if type(status) is not str or status not in STATUSES:
        raise InvalidValue(f"{kind}.status", f"must be one of {', '.join(get_args(Status))}, not {quote(status)}")
    if error is not UNSET:
        check_exact(error, InteractionError, f"{kind}.error")
    elif status != "success":
        raise InvalidValue(f"{kind}.error", f"is required when the status is {status!r}; give an InteractionError")
    if references is not UNSET:
        check_tuple(references, Reference, f"{kind}.references")
    if metadata is not UNSET:
        check_object(metadata, f"{kind}.metadata")


def _check_content(kind: str, status: object, content: object, structured_content: object, references: object) -> None:
    """Success needs something present; a tuple holds parts only."""
    if content is UNSET:
        if status == "success" and structured_content is UNSET and references is UNSET:
            raise InvalidValue(
                f"{kind}.status",
                "is success, which needs content, structured content or references; give one of them",
            )
    elif type(content) is tuple:
        check_parts(content, f"{kind}.content")


def enter_outcome(
    content: MessageContent | Unset, structured_content: JsonValue | Unset, metadata: JsonObject | Unset
) -> MessageContent | Unset:
    """Check the JSON of an outcome through and through and return its content in normal form.

    Raises :class:`InvalidValue` with the path of the first value that is no JSON.
    """
    if structured_content is not UNSET:
        check_json(structured_content, "structuredContent")
    if metadata is not UNSET:
        check_json(metadata, "metadata")
    return content if content is UNSET else enter_content(content, "content")
