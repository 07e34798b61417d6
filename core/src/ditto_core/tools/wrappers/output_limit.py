"""`with_output_limit`: a tool whose output never has more than a number of bytes."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import attrs

from ...contracts.content import JsonPart, MessageContent, Part, TextPart
from ...contracts.interaction_error import InteractionError
from ...contracts.json_values import JsonObject, JsonValue
from ...contracts.results import ToolOutcome, enter_outcome
from ...contracts.unset import UNSET, Unset
from ...contracts.wire import to_wire
from ...errors import InvalidTool
from ...text import describe
from ..context import ToolContext
from ..tool import Tool
from .running import check_tool, outcome_of

A = TypeVar("A")


def with_output_limit(tool: Tool[A], max_bytes: int) -> Tool[A]:
    """Return the tool with an output of at most `max_bytes` bytes: all that becomes part of an observation's message.

    Text counts as UTF-8; JSON, structured content and references count as compact JSON. They cannot be cut and come
    first; what they leave is for text, which is cut at a character boundary, text parts in their order. When they
    alone are over the limit they are left out, and a success becomes ``failed``, ``OUTPUT_TOO_LARGE``, which says
    that the effect has happened; any other status keeps its error. ``metadata`` then says ``truncated: true``, the
    ``limit`` and the whole ``size``, in place of what the tool may have said under these names; the rest of it, which
    does not count, is kept.

    Raises :class:`InvalidTool` unless `max_bytes` is a positive integer.
    """
    check_tool(tool, "with_output_limit")
    if type(max_bytes) is not int or max_bytes <= 0:
        said = "that number" if type(max_bytes) is int else describe(max_bytes)
        raise InvalidTool(f"with_output_limit({tool.name!r}): max_bytes must be a positive integer, not {said}.")

    async def execute(arguments: A, context: ToolContext) -> ToolOutcome:
        outcome = await outcome_of(tool, arguments, context)
        # What is no outcome is the registry's to refuse.
        return limited(outcome, max_bytes) if type(outcome) is ToolOutcome else outcome

    return attrs.evolve(tool, execute=execute)


def limited(outcome: ToolOutcome, limit: int) -> ToolOutcome:
    """Return the outcome with at most `limit` bytes; raises :class:`InvalidValue` when it holds what is no JSON."""
    content = enter_outcome(outcome.content, outcome.structured_content, outcome.metadata)
    text, others = _sizes(content)
    if outcome.structured_content is not UNSET:
        others += _json_size(outcome.structured_content)
    if outcome.references:
        others += _json_size([to_wire(reference) for reference in outcome.references])
    if text + others <= limit:
        return outcome
    metadata: JsonObject = {**(outcome.metadata or {}), "truncated": True, "limit": limit, "size": text + others}
    if others <= limit:
        return attrs.evolve(outcome, content=_cut(content, limit - others), metadata=metadata)
    is_success = outcome.status == "success"
    return ToolOutcome(
        status="failed" if is_success else outcome.status,
        content=_cut(content, limit, only_text=True) if text else UNSET,
        error=_too_large(text + others, limit) if is_success else outcome.error,
        metadata=metadata,
    )


def _sizes(content: MessageContent | Unset) -> tuple[int, int]:
    """Return how many bytes of text and of anything else content has."""
    if content is UNSET:
        return 0, 0
    if type(content) is str:
        return len(content.encode()), 0
    if type(content) is not tuple:
        return 0, _json_size(content)  # type: ignore[arg-type]  # no parts, so JSON
    text = sum(len(part.text.encode()) for part in content if type(part) is TextPart)
    return text, sum(_json_size(_data_of(part)) for part in content if type(part) is not TextPart)


def _data_of(part: Part) -> JsonValue:
    return part.data if type(part) is JsonPart else to_wire(part)


def _json_size(value: JsonValue) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _cut(content: Any, budget: int, *, only_text: bool = False) -> MessageContent:
    """Return content with at most `budget` bytes of text; text parts of which nothing is left are left out.

    `content` is a string or parts, since nothing else has text.
    """
    if type(content) is str:
        return _start_of(content, budget)
    kept: list[Part] = []
    for part in content:
        if type(part) is not TextPart:
            if not only_text:
                kept.append(part)
            continue
        start = _start_of(part.text, budget)
        # After the first cut nothing more fits, or there would be a hole in the text.
        budget = budget - len(start.encode()) if start == part.text else 0
        if start:
            kept.append(TextPart(text=start))
    return tuple(kept) or ""


def _start_of(text: str, budget: int) -> str:
    return text.encode()[:budget].decode(errors="ignore")


def _too_large(size: int, limit: int) -> InteractionError:
    return InteractionError(
        code="OUTPUT_TOO_LARGE",
        message=f"The output has {size} bytes, {limit} are allowed, and it cannot be cut. "
        "The tool has run and its effect has happened.",
    )
