"""From a result to an observation: pure, synchronous, and nothing is lost or promoted on the way."""

from __future__ import annotations

from .contracts.checked import of_checked
from .contracts.content import JsonPart, Message, MessageContent, Part, ReferencePart, TextPart
from .contracts.inputs import ObserveInput
from .contracts.results import ExternalResult, Observation, enter_outcome
from .contracts.unset import UNSET


def observe(input: ObserveInput) -> Observation:
    """Return the observation of a result: its message for a model, and everything else of it unchanged.

    The message has the role ``tool``, the source as its name and these parts, in order: for anything but success
    the text ``status: CODE: message``; the content; structured content as a json part; each reference. A single
    text part becomes a string. Raises :class:`InvalidValue` when something in the result is no JSON.
    """
    result = input.result
    return of_checked(
        Observation,
        call_id=result.call_id,
        source=result.source,
        status=result.status,
        message=of_checked(Message, role="tool", content=_message_content(result), name=result.source),
        structured_content=result.structured_content,
        references=result.references,
        error=result.error,
        metadata=result.metadata,
    )


def _message_content(result: ExternalResult) -> MessageContent:
    content = enter_outcome(result.content, result.structured_content, result.metadata)
    parts: list[Part] = []
    if result.status != "success" and result.error:
        parts.append(TextPart(text=f"{result.status}: {result.error.code}: {result.error.message}"))
    if type(content) is str:
        parts.append(TextPart(text=content))
    elif type(content) is tuple:
        parts.extend(content)
    elif content is not UNSET:
        parts.append(JsonPart(data=content))  # type: ignore[arg-type]
    if result.structured_content is not UNSET:
        parts.append(JsonPart(data=result.structured_content))
    if result.references is not UNSET:
        parts.extend([ReferencePart(reference=reference) for reference in result.references])
    if len(parts) == 1 and type(parts[0]) is TextPart:
        return parts[0].text
    return tuple(parts) or []
