"""Tools as servers list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ditto_core import UNSET, McpTool

from .text import clean, cleaned

if TYPE_CHECKING:
    from mcp.types import Tool


def tool_of(tool: Tool) -> McpTool:
    """Return the neutral form of a listed tool, without what its server left out; icons and hints are not carried."""
    return McpTool(
        name=clean(tool.name),
        input_schema=cleaned(tool.input_schema),
        description=UNSET if tool.description is None else clean(tool.description),
        title=UNSET if tool.title is None else clean(tool.title),
        output_schema=UNSET if tool.output_schema is None else cleaned(tool.output_schema),
    )
