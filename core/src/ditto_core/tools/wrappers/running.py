"""What the wrappers share: the check of what they wrap, and one run of it."""

from __future__ import annotations

from types import CoroutineType
from typing import TYPE_CHECKING, Any, TypeVar

from ...contracts.results import ToolOutcome
from ...errors import InvalidTool
from ...text import describe
from ..tool import Tool

if TYPE_CHECKING:
    from ..context import ToolContext

A = TypeVar("A")


def check_tool(tool: object, wrapper: str) -> None:
    """Refuse anything but a tool; raises :class:`InvalidTool`."""
    if not isinstance(tool, Tool):
        raise InvalidTool(f"{wrapper}: needs a Tool, not {describe(tool)}. Make one with Tool(…) or @tool.")


async def outcome_of(tool: Tool[A], arguments: A, context: ToolContext) -> ToolOutcome:
    """Return what the tool's `execute` returns, run as the registry runs it: a plain one in a thread.

    For wrappers of one's own. What `execute` raises passes unchanged, :class:`ToolFailed` too, and nothing of the
    outcome is checked yet: the registry does both, outside of all wrappers.
    """
    outcome: Any
    if tool.is_async:
        outcome = tool.execute(arguments, context)
    else:
        outcome = await context.in_thread(tool.execute, arguments, context)
    if tool.is_async or type(outcome) is CoroutineType:  # the latter: a plain function that hands on an async one
        outcome = await outcome
    return outcome  # type: ignore[no-any-return]
