"""Tools as servers list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ditto_core import UNSET, McpTool

if TYPE_CHECKING:
    from mcp.types import Tool


def tool_of(tool: Tool) -> McpTool:
    """Return the neutral form of a listed tool, without what its server left out; icons and hints are not carried."""
    return McpTool(
        name=tool.name,
        input_schema=tool.input_schema,
        description=UNSET if tool.description is None else tool.description,
        title=UNSET if tool.title is None else tool.title,
        output_schema=UNSET if tool.output_schema is None else tool.output_schema,
    )
