"""The client under test: it lists what the suite's server has and calls each tool, through a view."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import attrs

from ditto_core import McpTool
from ditto_mcp import McpRejected, connect_http

STUBS: Final = {"number": 2, "integer": 2, "string": "text", "boolean": True}


@attrs.frozen(kw_only=True)
class Scenario:
    """What the suite tells a client."""

    name: str
    version: str
    context: dict[str, Any]
    url: str


async def play(scenario: Scenario) -> None:
    """Do what every scenario asks of a client: connect, list, call."""
    mode = "legacy" if scenario.version == "2025-11-25" else "auto"
    async with connect_http(scenario.url, mode=mode, connect_timeout=15) as connection:
        view = connection.client(call_timeout=10, list_timeout=10)
        page = await view.list_tools()
        for name, arguments in calls(scenario.context, page.tools):
            try:
                await view.call_tool(name, arguments)
            except McpRejected:  # one server lists a tool that it does not run; the scenario's checks are what counts
                continue


def calls(context: dict[str, Any], listed: Sequence[McpTool]) -> Iterator[tuple[str, Any]]:
    """Give the calls that a scenario prescribes, or else one of each tool."""
    if "toolCalls" in context:
        yield from ((call["name"], call["arguments"]) for call in context["toolCalls"])
        return
    for tool in listed:
        properties: Any = tool.input_schema.get("properties", {})
        # An object gets the first tool's schema, for the scenario that looks whether schemas come back whole.
        stubs = {name: STUBS.get(one.get("type"), listed[0].input_schema) for name, one in properties.items()}
        yield tool.name, stubs


@asynccontextmanager
async def desk(path: Path) -> AsyncIterator[dict[tuple[str, str], str | None]]:
    """Take the errands of the suite's clients at a socket; give how each ended: None, or what went wrong."""
    ends: dict[tuple[str, str], str | None] = {}

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        scenario = Scenario(**json.loads(await reader.readline()))
        failure = None
        try:
            await play(scenario)
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        ends[scenario.name, scenario.version] = failure
        writer.write(json.dumps(failure).encode() + b"\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_unix_server(take, path):
        yield ends
