"""One call of one tool, in a runtime that is made for it and closed after it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from ditto_core import (
    ACT_TOOL,
    ExternalResult,
    NotOffered,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolDefinition,
    ToolInput,
    ToolRegistry,
    guess,
    in_thread,
    interaction_worker,
    web_search_tool,
    with_approval,
)

from .arguments import arguments_of
from .composing import Composed, composed
from .exits import Exit, of_status
from .given import given
from .granting import sandbox_of
from .results import write_hits, write_result

CALL_ID: Final = "ditto-1"
"""The id of the one call."""


@attrs.frozen(kw_only=True)
class Request:
    """What a command line says about the call as a whole."""

    plugins: tuple[str, ...]
    config: Path | None
    workspace: Path
    allow: tuple[str, ...]
    timeout: float | None
    yes: bool = False


def call_tool(name: str, words: Sequence[str], request: Request, *, as_json: bool) -> Exit:
    """Call a tool of the plugins once, write its result and return the exit status."""
    sandbox = sandbox_of(request.allow, request.workspace)
    found = composed(given(request.plugins), request.config, wrap=None if request.yes else _asking)
    definition = _definition(found, name)
    arguments = arguments_of(words, definition.input_schema)
    call = ToolCall(id=CALL_ID, name=name, arguments=arguments)
    result = asyncio.run(_call(found, call, found.host.tools, sandbox, request.timeout))
    write_result(result, as_json=as_json)
    return of_status(result.status)


def search_with(provider: str, query: str, limit: int, request: Request, *, as_json: bool) -> Exit:
    """Search with a provider of the plugins once, write the hits and return the exit status.

    The tool that searches is the command itself, so it needs no permission; the provider's origin does.
    """
    found = composed(given(request.plugins), request.config)
    tool = web_search_tool(found.host.search_provider(provider))
    tools = ToolRegistry()
    tools.register(tool)
    sandbox = sandbox_of(request.allow, request.workspace, tools=[tool.name])
    call = ToolCall(id=CALL_ID, name=tool.name, arguments={"query": query, "limit": limit})
    result = asyncio.run(_call(found, call, tools, sandbox, request.timeout))
    write_result(result, as_json=as_json, write_body=write_hits)
    return of_status(result.status)


async def _call(
    found: Composed, call: ToolCall, tools: ToolRegistry, sandbox: Sandbox, timeout: float | None
) -> ExternalResult:
    worker = interaction_worker(tools=tools)
    async with found.host, Runtime(workers=[worker], sandbox=sandbox, config=found.config) as runtime:
        return await runtime.invoke(ACT_TOOL, ToolInput(call=call), timeout=timeout)


def _definition(found: Composed, name: str) -> ToolDefinition:
    by_name = {one.name: one for one in found.host.tools.list(Sandbox(tools=["*"]))}
    if name in by_name:
        return by_name[name]
    broken = f" {', '.join(found.broken)} could not be loaded." if found.broken else ""
    raise NotOffered(
        f"Tool {name[:100]!r}: none of the named plugins offers it.{guess(name, by_name)}{broken} "
        "ditto tools lists what they offer."
    )


def _asking(tool: Tool[Any]) -> Tool[Any]:
    return with_approval(tool, _approve) if tool.requires_approval else tool


async def _approve(definition: ToolDefinition, arguments: Any) -> bool:
    """Ask the person at the terminal; where there is none, nothing is approved."""
    if not sys.stdin.isatty():
        sys.stderr.write(f"ditto: {definition.name} wants approval, and nobody can be asked. Approve it: --yes\n")
        return False
    sys.stderr.write(f"{definition.name} wants approval. Run it? [y/N] ")
    sys.stderr.flush()
    answer = await in_thread(sys.stdin.readline)
    return answer.strip().lower() in ("y", "yes")
