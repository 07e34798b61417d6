"""What the agent's tests act with: a runtime with a scripted model, counted tools and a server in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs

from ditto_core import (
    JsonObject,
    McpPage,
    McpTool,
    McpToolResult,
    Runtime,
    Sandbox,
    Tool,
    ToolContext,
    ToolOutcome,
    interaction_worker,
)
from tests.support.mcp_memory import Server
from tests.support.models import Scripted, scripted

ITEM: JsonObject = {
    "type": "object",
    "properties": {"item": {"type": "string", "minLength": 1}},
    "required": ["item"],
    "additionalProperties": False,
}


@attrs.define
class Stage:
    """A runtime, the model behind it, what the tool ``stock`` was called with, and the server ``files``."""

    runtime: Runtime
    model: Scripted
    calls: list[tuple[str, Any]]
    files: Server


def stock(calls: list[tuple[str, Any]], answer: Any) -> Tool[Any]:
    """Make a tool that keeps its calls and answers as it is told: with an outcome, an exception or a coroutine."""

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        calls.append((context.call_id, arguments))
        given = answer(context) if callable(answer) else answer
        if isinstance(given, BaseException):
            raise given
        return given if isinstance(given, ToolOutcome) else await given

    def validate(arguments: JsonObject) -> JsonObject:
        if arguments.get("item") == "secret":
            raise ValueError("that item is not for sale")
        return arguments

    return Tool(name="stock", description="How many.", input_schema=ITEM, validate=validate, execute=execute)


@asynccontextmanager
async def stage(
    *script: Any, answer: Any = None, sandbox: Sandbox | None = None, more: Any = ()
) -> AsyncIterator[Stage]:
    """Give a runtime with the script's model."""
    calls: list[tuple[str, Any]] = []
    provider, infer = scripted(*script)
    tool = McpTool(name="read_text", description="Read.", input_schema={"type": "object"})
    files = Server({None: McpPage(tools=(tool,))}, answer=McpToolResult(content="hello"))
    answer = ToolOutcome(content="3") if answer is None else answer
    acting = interaction_worker(tools=[stock(calls, answer)], mcp={"files": files})
    permits = sandbox or Sandbox(tools=["*"], mcp=["*"])
    async with Runtime(workers=[infer, acting], sandbox=permits) as runtime:
        yield Stage(runtime, provider, calls, files)
