"""Results of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ditto_core import UNSET, McpToolResult, MessageContent, TextPart, Unset

from .blocks import Parts

if TYPE_CHECKING:
    from mcp.types import CallToolResult


def tool_result(result: CallToolResult, *, max_inline_bytes: int) -> McpToolResult:
    """Return the neutral form of a result.

    One block of text becomes that text, other content a tuple of parts, in order. Structured content is there if the
    server sent it, null included. A failed tool's own words stay in the content and become no error message.
    Annotations and the protocol's metadata are not carried.
    """
    collected = Parts(max_inline_bytes)
    for block in result.content:
        collected.add(block)
    has_structured = "structured_content" in result.model_fields_set
    return McpToolResult(
        content=_content(collected, is_empty_allowed=has_structured),
        structured_content=result.structured_content if has_structured else UNSET,
        references=tuple(collected.references) or UNSET,
        is_error=result.is_error,
    )


def _content(collected: Parts, *, is_empty_allowed: bool) -> MessageContent | Unset:
    parts = collected.parts
    if len(parts) == 1:
        only = parts[0]
        return only.text if isinstance(only, TextPart) else (only,)
    if parts:
        return tuple(parts)
    return UNSET if is_empty_allowed else ""  # a success says something, be it nothing
