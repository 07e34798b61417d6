"""A model's own messages, and the two ways in which calls and their observations become such.

A model's message is another contract than :class:`ditto_core.Message`: no name and no parts. What ties a tool's
message to its call stands in ``metadata``, and every provider writes it in the form of its own protocol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

import attrs

from ditto_core import UNSET, InvalidValue, JsonObject, JsonValue, Observation, ToolCall, Unset, describe, to_wire
from ditto_formats import openai_chat

from . import checks

if TYPE_CHECKING:
    from .sample import Sample

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
"""Who speaks in a message."""
ModelContent: TypeAlias = str | list[JsonValue]
"""What a message says: text, or a list in the provider's own form, which is passed on as it is."""

_ROLES = get_args(Role)


@attrs.frozen(kw_only=True)
class ModelMessage:
    """One message to or from a model: a role, a content, and what the protocols need beside them in ``metadata``.

    A message with the role ``tool`` answers one request of the model's: ``metadata`` has its id as
    ``actionRequestId``, and the name that it asked for as ``name``. An ``assistant`` one that asked for actions has
    all of them as ``actionRequests``. Raises :class:`~ditto_core.InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    role: Role
    content: ModelContent
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.one_of(self.role, _ROLES, "ModelMessage.role")
        if type(self.content) is not str and type(self.content) is not list:
            raise InvalidValue("ModelMessage.content", f"must be text or a list, not {describe(self.content)}")
        checks.optional_object(self.metadata, "ModelMessage.metadata")
        if self.role == "tool":
            answered = self.metadata.get("actionRequestId") if self.metadata else None
            if type(answered) is not str or not answered.strip():
                raise InvalidValue(
                    "ModelMessage.metadata.actionRequestId",
                    "must be the id of the request that a tool's message answers; tool_message() enters it",
                )


def assistant_message(sample: Sample) -> ModelMessage:
    """Return the model's own turn as the next request has to repeat it: with all that it asked for."""
    if not sample.action_requests:
        return sample.message
    asked = [to_wire(request) for request in sample.action_requests]
    return attrs.evolve(sample.message, metadata={**(sample.message.metadata or {}), "actionRequests": asked})


def tool_message(request: ToolCall, observation: Observation) -> ModelMessage:
    """Return the message that answers one request of a model's: its id, its name, and as text the observation.

    What did not succeed begins with ``status: CODE: message``, for no protocol has a better place for it. Raises
    :class:`~ditto_core.InvalidValue` for the observation of another call.
    """
    content = cast("str", openai_chat.message(request, observation)["content"])
    return ModelMessage(role="tool", content=content, metadata={"actionRequestId": request.id, "name": request.name})
