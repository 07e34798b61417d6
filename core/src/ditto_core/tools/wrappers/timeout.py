"""`with_timeout`: a tool that ends in time, with a result that says so."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import attrs

from ...contracts.interaction_error import InteractionError
from ...contracts.results import ToolOutcome
from ...durations import is_seconds
from ...errors import InvalidTool
from ...text import describe
from ..context import ToolContext
from ..tool import Tool
from .running import check_tool, outcome_of

A = TypeVar("A")


def with_timeout(tool: Tool[A], seconds: float) -> Tool[A]:
    """Return the tool with a deadline of its own: `seconds` after it begins it is cancelled.

    The outcome then has the status ``timeout`` and the code ``TOOL_TIMEOUT``; its effect is uncertain. Whatever else
    ends the tool stays as it is: a :class:`TimeoutError` of its own, or the cancellation of the call. A plain function
    runs on in its thread.

    Raises :class:`InvalidTool` unless `seconds` is a positive, finite number.
    """
    check_tool(tool, "with_timeout")
    if not is_seconds(seconds) or not seconds:
        said = "that number" if type(seconds) in (int, float) else describe(seconds)
        raise InvalidTool(f"with_timeout({tool.name!r}): seconds must be a positive, finite number, not {said}.")

    async def execute(arguments: A, context: ToolContext) -> ToolOutcome:
        deadline = asyncio.timeout(seconds)
        try:
            async with deadline:
                outcome = await outcome_of(tool, arguments, context)
        except TimeoutError:
            if not deadline.expired():
                raise
        else:
            # Otherwise the tool has swallowed its cancellation, and nobody waits for it any more.
            if not deadline.expired():
                return outcome
        message = f"The tool did not end within {seconds:g} seconds. Its effect is uncertain: check before a retry."
        return ToolOutcome(status="timeout", error=InteractionError(code="TOOL_TIMEOUT", message=message))

    return attrs.evolve(tool, execute=execute)
