"""A pack with one tool, as small as a pack can be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

import attrs
from attrs.validators import ge, le

from ditto_core import FileRefused, Tool, ToolContext, ToolFailed, ToolOutcome, hookimpl, tool


@tool(effects={"read"})
async def read_note(
    name: Annotated[str, "the name of a note"],
    lines: Annotated[int, ge(1), le(100), "how many lines to give"] = 20,
    *,
    context: ToolContext,
) -> ToolOutcome:
    """Give the first lines of a note in the workspace."""
    try:
        text = await context.sandbox.read_text(name, max_bytes=65_536)
    except FileRefused as refusal:
        raise ToolFailed(f"NOTE_{refusal.reason.upper()}", "The note cannot be read.") from refusal
    found = text.splitlines(keepends=True)
    return ToolOutcome(content="".join(found[:lines]), metadata={"truncated": len(found) > lines})


@attrs.frozen(eq=False)
class NotesPack:
    """Tools for notes."""

    api_version: ClassVar[int] = 1

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tool."""
        return [read_note]
