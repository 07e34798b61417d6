"""`with_approval`: a tool that runs only when somebody says yes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TypeVar

import attrs

from ...contracts.results import ToolOutcome
from ...errors import InvalidTool, PermissionDenied
from ...text import describe, quote
from ..context import ToolContext
from ..tool import Tool, ToolDefinition
from .running import check_tool, outcome_of

A = TypeVar("A")


def with_approval(tool: Tool[A], approve: Callable[[ToolDefinition, A], bool | Awaitable[bool]]) -> Tool[A]:
    """Return the tool that asks `approve(definition, arguments)` each time before it runs.

    `arguments` is the object that the tool's `validate` returned and `execute` will receive: what is approved is what
    runs. `definition` is that of `tool` as it is given here. `approve` may be async; a plain one runs on the event
    loop and must not block. The description ``requires_approval`` neither asks nor is changed.

    A call raises :class:`PermissionDenied` when the answer is False, or is no bool at all: nothing has run. What
    `approve` raises propagates unchanged. Raises :class:`InvalidTool` when `approve` is no function.
    """
    check_tool(tool, "with_approval")
    if not callable(approve):
        raise InvalidTool(f"with_approval({tool.name!r}): approve must be a function, not {describe(approve)}.")
    definition = ToolDefinition(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        effects=tuple(sorted(tool.effects)),
        requires_approval=tool.requires_approval,
    )

    async def execute(arguments: A, context: ToolContext) -> ToolOutcome:
        answer = approve(definition, arguments)
        if isawaitable(answer):
            answer = await answer
        if answer is True:
            return await outcome_of(tool, arguments, context)
        who = f"Tool {tool.name!r} (call {quote(context.call_id)})"
        if answer is not False:
            raise PermissionDenied(
                f"{who}: approve must answer True or False, not {describe(answer)}. Nothing has run."
            )
        raise PermissionDenied(f"{who}: was not approved. Nothing has run.")

    return attrs.evolve(tool, execute=execute)
