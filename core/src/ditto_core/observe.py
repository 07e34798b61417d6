"""From a result to an observation: pure, synchronous, and nothing is lost or promoted on the way."""

from __future__ import annotations

from .contracts.checked import of_checked
from .contracts.content import JsonPart, Message, MessageContent, Part, ReferencePart, TextPart
from .contracts.inputs import ObserveInput
from .contracts.results import Observation, enter_outcome
from .contracts.unset import UNSET


def observe(input: ObserveInput) -> Observation:
    """Return the observation of a result: its message for a model, and everything else of it unchanged.

    The message has the role ``tool``, the source as its name and these parts, in order: for anything but success
    the text ``status: CODE: message``; the content; structured content as a json part; each reference. A single
    text part becomes a string. Raises :class:`InvalidValue` when something in the result is no JSON.
    """
    result = input.result
    source, status, error = result.source, result.status, result.error
    structured_content, references, metadata = result.structured_content, result.references, result.metadata
    content = enter_outcome(result.content, structured_content, metadata)

    parts: list[Part] = []
    if status != "success" and error:
        parts.append(TextPart(text=f"{status}: {error.code}: {error.message}"))
    if content is not UNSET:
        if type(content) is str:
            parts.append(TextPart(text=content))
        elif type(content) is tuple:
            parts.extend(content)
        else:
            parts.append(JsonPart(data=content))  # type: ignore[arg-type]
    if structured_content is not UNSET:
        parts.append(JsonPart(data=structured_content))
    if references is not UNSET:
        parts.extend([ReferencePart(reference=reference) for reference in references])
    return of_checked(
        Observation,
        {
            "call_id": result.call_id,
            "source": source,
            "status": status,
            "message": of_checked(Message, {"role": "tool", "content": _content_of(parts), "name": source}),
            "structured_content": structured_content,
            "references": references,
            "error": error,
            "metadata": metadata,
        },
    )


def _content_of(parts: list[Part]) -> MessageContent:
    if len(parts) == 1 and type(parts[0]) is TextPart:
        return parts[0].text
    return tuple(parts) or []
