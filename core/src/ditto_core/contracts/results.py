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
from .unset import UNSET, Unset

Status: TypeAlias = Literal["success", "failed", "cancelled", "timeout", "unknown"]
"""How an action ended. ``unknown`` asks for verification before anything is tried again."""

STATUSES: frozenset[str] = frozenset(get_args(Status))


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ToolCall:
    """A request for one action: ``id`` correlates the result, ``name`` selects the tool, ``arguments`` are JSON.

    The id makes no transaction and suppresses nothing. Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    id: str
    name: str
    arguments: JsonObject

    def __attrs_post_init__(self) -> None:
        check_name(self.id, "ToolCall.id")
        check_name(self.name, "ToolCall.name")
        check_object(self.arguments, "ToolCall.arguments")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ToolOutcome:
    """What a tool's ``execute`` returns; the core adds the call's id and the tool's name.

    A success needs content, structured content or references present (``None`` is null and present); every other
    status needs an error. Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    status: Status = "success"
    content: MessageContent | Unset = UNSET
    structured_content: JsonValue | Unset = UNSET
    references: tuple[Reference, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        _check_outcome(self)
        _check_content(self)


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ExternalResult:
    """The outcome of one call with the identity of that call; the rules are those of :class:`ToolOutcome`.

    ``source`` is the tool's name, or ``server:tool`` for an MCP call.
    """

    __hash__ = None  # type: ignore[assignment]

    call_id: str
    source: str
    status: Status
    content: MessageContent | Unset = UNSET
    structured_content: JsonValue | Unset = UNSET
    references: tuple[Reference, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.call_id, "ExternalResult.callId")
        check_name(self.source, "ExternalResult.source")
        _check_outcome(self)
        _check_content(self)


@attrs.frozen(kw_only=True, unsafe_hash=False)
class Observation:
    """A result as a model reads it: everything of the result but its content, which is in ``message``.

    ``message`` has the role ``tool`` and the source as its name.
    """

    __hash__ = None  # type: ignore[assignment]

    call_id: str
    source: str
    status: Status
    message: Message
    structured_content: JsonValue | Unset = UNSET
    references: tuple[Reference, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.call_id, "Observation.callId")
        check_name(self.source, "Observation.source")
        check_exact(self.message, Message, "Observation.message")
        _check_outcome(self)


def _check_outcome(value: ToolOutcome | ExternalResult | Observation) -> None:
    """The rules that an outcome keeps from the tool to the observation."""
    status = value.status
    if type(status) is not str or status not in STATUSES:
        raise InvalidValue(
            f"{type(value).__name__}.status", f"must be one of {', '.join(get_args(Status))}, not {quote(status)}"
        )
    if value.error is not UNSET:
        check_exact(value.error, InteractionError, f"{type(value).__name__}.error")
    elif status != "success":
        raise InvalidValue(
            f"{type(value).__name__}.error", f"is required when the status is {status!r}; give an InteractionError"
        )
    if value.references is not UNSET:
        check_tuple(value.references, Reference, f"{type(value).__name__}.references")
    if value.metadata is not UNSET:
        check_object(value.metadata, f"{type(value).__name__}.metadata")


def _check_content(value: ToolOutcome | ExternalResult) -> None:
    """Success needs something present; a tuple holds parts only."""
    content = value.content
    if content is UNSET:
        if value.status == "success" and value.structured_content is UNSET and value.references is UNSET:
            raise InvalidValue(
                f"{type(value).__name__}.status",
                "is success, which needs content, structured content or references; give one of them",
            )
    elif type(content) is tuple:
        check_parts(content, f"{type(value).__name__}.content")


def enter_outcome(outcome: ToolOutcome | ExternalResult) -> MessageContent | Unset:
    """Check the JSON of an outcome through and through and return its content in normal form.

    Raises :class:`InvalidValue` with the path of the first value that is no JSON.
    """
    if outcome.structured_content is not UNSET:
        check_json(outcome.structured_content, "structuredContent")
    if outcome.metadata is not UNSET:
        check_json(outcome.metadata, "metadata")
    return outcome.content if outcome.content is UNSET else enter_content(outcome.content, "content")
