"""Registering a plugin that gives very many tools, beside a dict whose keys are checked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar, Final

import attrs

from ditto_core import JsonObject, PluginHost, Tool, ToolContext, ToolOutcome, hookimpl

from .harness import FLOOR, Effort, Row, in_turns, row

MANY: Final = 10_000
SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}

is_name = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


@attrs.frozen(eq=False)
class ManyTools:
    """A plugin with tools that it has made before."""

    api_version: ClassVar[int] = 1
    tools: list[Tool[Any]]

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Give them all."""
        return self.tools


async def execute(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
    """Answer with the arguments."""
    return ToolOutcome(structured_content=arguments)


async def many_tools(effort: Effort) -> list[Row]:
    """Measure one registration in a new host."""
    tools = [
        Tool(name=f"tool_{number}", input_schema=SCHEMA, validate=lambda given: given, execute=execute)
        for number in range(MANY)
    ]
    plugin = ManyTools(tools)

    async def kept(times: int) -> None:
        for _ in range(times):
            by_name: dict[str, Tool[Any]] = {}
            for tool in tools:
                if tool.name in by_name or not is_name(tool.name):
                    raise ValueError(tool.name)
                by_name[tool.name] = tool

    async def registered(times: int) -> None:
        for _ in range(times):
            PluginHost().register(plugin)

    case = f"{MANY:,} tools registered by one plugin"
    samples = await in_turns({FLOOR: kept, case: registered}, effort)
    return [row(samples, case, floor="a dict of them, names checked", budget=60, goal=30, operations=MANY)]
