"""What clients are told of the tools."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp.types import Tool as ListedTool

from ditto_core import McpCapability, McpDiscover, McpRegistry, Sandbox, Tool, ToolOutcome
from ditto_mcp import McpRejected
from tests.plugins.mcp.serving.tools import add, giving, served


def listed(*tools: Tool[Any], **options: Any) -> list[McpCapability]:
    """Discover the tools of a server through a registry."""

    async def main() -> list[McpCapability]:
        async with served(tools, **options) as connection:
            registry = McpRegistry(max_capabilities=5_000)
            registry.register("served", connection.client())
            found = await registry.execute(McpDiscover(server="served"), Sandbox(mcp=["served"]))
            return list(found.capabilities)

    return asyncio.run(main())


def hints(tool: Tool[Any]) -> tuple[bool | None, bool | None, bool | None]:
    """Give the hints of the protocol: read only, destructive, open world."""
    seen: list[ListedTool] = []

    async def main() -> None:
        async with served([tool]) as connection:
            await connection.client(allow=lambda one: not seen.append(one)).list_tools()

    asyncio.run(main())
    annotations = seen[0].annotations
    assert annotations is not None
    return annotations.read_only_hint, annotations.destructive_hint, annotations.open_world_hint


@pytest.mark.promise("D-MCP-08")
def test_names_texts_and_schemas_are_those_of_the_tool() -> None:
    (found,) = listed(add)
    assert (found.name, found.description, found.input_schema) == ("add", "Add two numbers.", add.input_schema)
    assert found.output_schema == {
        "type": "object",
        "properties": {"result": add.output_schema},
        "required": ["result"],
    }


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({}, {"type": "object"}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        ({"type": ["object", "null"]}, {"type": "object", "allOf": [{"type": ["object", "null"]}]}),
    ],
)
def test_a_schema_that_does_not_say_so_is_one_of_an_object(schema: Any, sent: Any) -> None:
    (found,) = listed(giving("any", ToolOutcome(content=""), input_schema=schema))
    assert found.input_schema == sent


def test_effects_are_hints() -> None:
    def effects(*names: str, **more: Any) -> tuple[bool | None, bool | None, bool | None]:
        return hints(giving("any", ToolOutcome(content=""), effects=set(names), **more))

    assert effects("read") == (True, False, False)
    assert effects("read", "network") == (True, False, True)
    assert effects("write") == (False, True, False)
    assert effects("execute", "read") == (False, True, False)
    assert effects() == (False, True, False)
    assert effects("read", requires_approval=True) == (True, True, False)


def test_only_what_both_sandboxes_permit_is_listed() -> None:
    outer = Sandbox(tools=["add", "text"])
    tools = (add, giving("text", ToolOutcome(content="")), giving("hidden", ToolOutcome(content="")))
    assert [one.name for one in listed(*tools, sandbox=outer)] == ["add", "text"]


def test_a_long_list_has_pages() -> None:
    tools = [giving(f"t{index}", ToolOutcome(content="")) for index in range(1_001)]
    assert [one.name for one in listed(*tools)] == [tool.name for tool in tools]


@pytest.mark.parametrize("cursor", ["", "x", "1", "-500", "٥٠٠", "1" * 5_000])
def test_a_cursor_that_no_page_gave_is_refused(cursor: str) -> None:
    async def main() -> None:
        async with served([add]) as connection:
            with pytest.raises(McpRejected):
                await connection.client().list_tools(cursor)

    asyncio.run(main())
