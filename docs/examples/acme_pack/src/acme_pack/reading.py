"""The tool ``read_text``."""

from __future__ import annotations

from typing import Annotated, Any

from attrs.validators import ge, le

from ditto_core import Tool, ToolContext, ToolOutcome, tool

from .files import Files, lines_of


def read_text_tool(files: Files, most: int) -> Tool[Any]:
    """Return the tool; it gives `most` lines at the most."""

    @tool(effects={"read"})
    async def read_text(
        path: Annotated[str, "a file of the workspace"],
        start_line: Annotated[int, ge(1), "the first line to read"] = 1,
        max_lines: Annotated[int, ge(1), le(most), "how many lines to read"] = most,
        *,
        context: ToolContext,
    ) -> ToolOutcome:
        """Read lines of a text file exactly as they are. The metadata say whether further lines follow."""
        lines = lines_of(await files.text(context.sandbox, path))
        end = start_line - 1 + max_lines
        chosen = lines[start_line - 1 : end]
        return ToolOutcome(
            content="".join(chosen),
            metadata={
                "path": path,
                "start_line": start_line,
                "lines": len(chosen),
                "total_lines": len(lines),
                "truncated": len(lines) > end,
            },
        )

    return read_text
