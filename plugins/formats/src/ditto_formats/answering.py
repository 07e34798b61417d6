"""What every answer has in common: it belongs to its call, and a model reads it as text that is never empty."""

from __future__ import annotations

from collections.abc import Iterator

from ditto_core import (
    InvalidValue,
    JsonPart,
    JsonValue,
    Observation,
    Part,
    Reference,
    TextPart,
    ToolCall,
    describe,
    from_wire,
    quote,
    to_wire,
)

from .bad_call import BadCall
from .json_text import Unreadable, read, write

NOTHING = "(empty)"
"""Stands for an answer without text, which Anthropic refuses."""


def text_of(call: ToolCall | BadCall, observation: Observation) -> str:
    """Return what a model reads of the observation, on lines of its own for each part; raises :class:`InvalidValue`.

    What did not succeed starts with ``status: CODE: message``.
    """
    if type(call) is not ToolCall and type(call) is not BadCall:
        raise InvalidValue("call", f"must be a ToolCall or a BadCall, not {describe(call)}")
    if type(observation) is not Observation:
        raise InvalidValue("observation", f"must be an Observation, not {describe(observation)}; observe() makes it")
    if observation.call_id != call.id:
        raise InvalidValue(
            "observation.callId",
            f"is {quote(observation.call_id)}, but the call is {quote(call.id)}; give each call its own answer",
        )
    observation = from_wire(Observation, to_wire(observation))  # constructors do not look into JSON
    text = "\n".join(_texts(observation))
    if observation.status != "success" and observation.error:
        failure = f"{observation.status}: {observation.error.code}: {observation.error.message}"
        if not text.startswith(failure):
            text = f"{failure}\n{text}"
    return text if text.strip() else NOTHING


def _texts(observation: Observation) -> Iterator[str]:
    content = observation.message.content
    parts: tuple[Part, ...]
    if type(content) is tuple:
        parts = content
    else:
        parts = (TextPart(text=content) if type(content) is str else JsonPart(data=content),)  # type: ignore[arg-type]
    told: set[str] = set()
    for part in parts:
        if isinstance(part, TextPart):
            told.update(_json_of(part.text))
            yield part.text
        elif isinstance(part, JsonPart):
            if not _is_told(part.data, told):
                yield write(part.data)
        else:
            yield _reference(part.reference)


def _json_of(text: str) -> Iterator[str]:
    """Give the list or object that a text is, in one form for all ways to write it."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            yield write(read(text), sort_keys=True)
        except Unreadable:
            return


def _is_told(data: JsonValue, told: set[str]) -> bool:
    """Tell whether an earlier text says the same: MCP servers give what is structured as a text as well."""
    return bool(told) and write(data, sort_keys=True) in told


def _reference(reference: Reference) -> str:
    """Return a reference as JSON; one that carries its data in itself is named, since no model reads base64."""
    uri = reference.uri
    if uri[:5].lower() == "data:":
        kind = uri[5:].partition(",")[0].partition(";")[0]
        return write({"notCarried": f"a data: URI of {quote(kind or 'text/plain')}, {len(uri):,} characters"})
    return write({"reference": to_wire(reference)})
