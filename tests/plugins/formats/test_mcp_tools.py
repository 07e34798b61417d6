"""Tools that were discovered on an MCP server are offered to a model, called by it, and answered, in any format."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    InvalidName,
    JsonObject,
    McpPage,
    McpRegistry,
    McpTool,
    McpToolResult,
    ObserveInput,
    Runtime,
    Sandbox,
    ToolDefinition,
    ToolInput,
    ToolRegistry,
    interaction_worker,
    mcp_tools,
    observe,
)
from tests.support.mcp_memory import Server
from tests.support.replies import FORMATS, Format

SANDBOX = Sandbox(tools=["*"], mcp=["notes"])
SCHEMA: JsonObject = {"type": "object", "properties": {"id": {"type": "integer"}}}
each_format = pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)


class Notes(Server):
    """Gives what it finds as text and structured, as servers do, and fails for what it does not find."""

    def __init__(self) -> None:
        tools = (
            McpTool(name="notes.get/é", input_schema=SCHEMA, description="Get a note."),
            McpTool(name="list", input_schema={}),
        )
        super().__init__({None: McpPage(tools=tools)})

    async def call_tool(self, name: str, arguments: Any) -> McpToolResult:
        self.calls.append((name, arguments))
        found = {"note": arguments.get("id")}
        if arguments.get("id") == 1:
            return McpToolResult(content=json.dumps(found), structured_content=found)
        return McpToolResult(is_error=True, content="no such note")


@pytest.mark.promise("D-MCP-09")
@each_format
def test_a_discovered_tool_goes_to_a_model_and_back(format: Format) -> None:
    asyncio.run(_there_and_back(format))


async def _there_and_back(format: Format) -> None:
    client, servers, tools = Notes(), McpRegistry(), ToolRegistry()
    servers.register("notes", client)
    for tool in await mcp_tools(servers, SANDBOX, "notes", rename={"notes.get/é": "get"}, prefix="notes_"):
        tools.register(tool)
    async with Runtime(workers=[interaction_worker(tools=tools)], sandbox=SANDBOX) as runtime:
        offered = json.dumps(format.module.tools(runtime.tools()))
        assert '"notes_get"' in offered
        assert '"Get a note."' in offered
        assert "notes.get" not in offered

        items = [format.item(f"c{id}", "notes_get", json.dumps({"id": id})) for id in (1, 2)]
        calls = format.module.calls(format.reply(items))
        observations = []
        for call in calls:
            result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
            observations.append(observe(ObserveInput(result=result)))

    assert client.calls == [("notes.get/é", {"id": 1}), ("notes.get/é", {"id": 2})]
    assert {observation.source for observation in observations} == {"notes:notes.get/é"}
    found, missing = (format.module.message(*pair) for pair in zip(calls, observations, strict=True))
    assert found[format.answered] == "c1"
    assert found[format.text] == '{"note": 1}'
    assert missing[format.answered] == "c2"
    assert missing[format.text] == "failed: MCP_TOOL_ERROR: The MCP server reported an error\nno such note"


@each_format
def test_a_name_of_a_server_is_no_name_for_a_model(format: Format) -> None:
    with pytest.raises(InvalidName, match="Rename it"):
        format.module.tools([ToolDefinition(name="notes.get/é", input_schema=SCHEMA)])
