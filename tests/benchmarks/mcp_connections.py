"""The adapter beside the SDK's own client on the same connection, to a server in this process, message by message."""

from __future__ import annotations

from typing import Any, Final

from mcp import Client
from mcp.server import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent, Tool

from ditto_core import McpDiscover, McpInvoke, McpRegistry, Sandbox, ToolCall
from ditto_mcp import McpConnection, connect_inprocess

from .harness import FLOOR, Effort, Row, in_turns, row
from .mcp_registry import A_PAGE, ARGUMENTS, MANY, SCHEMA

ALLOWED: Final = Sandbox(mcp=["files"])


def _server() -> Server[Any]:
    tools = [
        Tool(name=f"tool_{n}", description=f"Does what number {n} does.", input_schema=SCHEMA) for n in range(MANY)
    ]

    async def listed(context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        first = int(params.cursor) if params is not None and params.cursor else 0
        following = first + A_PAGE
        return ListToolsResult(tools=tools[first:following], next_cursor=str(following) if following < MANY else None)

    async def called(context: Any, params: CallToolRequestParams) -> CallToolResult:
        return CallToolResult(content=[TextContent(text="text")], structured_content=dict(params.arguments or {}))

    return Server("files", on_list_tools=listed, on_call_tool=called)


async def _sdk_client(connection: McpConnection) -> Client:
    """Return the SDK's client within a connection."""
    found: list[Client] = []

    async def look(client: Client) -> None:
        found.append(client)

    await connection.request(look, timeout=5)
    return found[0]


async def one_call(effort: Effort) -> list[Row]:
    """Measure a call through registry and adapter."""
    async with connect_inprocess(_server(), mode="legacy") as connection:
        view, sdk, mcp = connection.client(), await _sdk_client(connection), McpRegistry()
        mcp.register("files", view)
        await view.call_tool("tool_1", dict(ARGUMENTS))  # which lists all tools

        async def by_sdk(times: int) -> None:
            for _ in range(times):
                await sdk.call_tool("tool_1", dict(ARGUMENTS))

        async def by_adapter(times: int) -> None:
            for _ in range(times):
                call = ToolCall(id="c1", name="tool_1", arguments=ARGUMENTS)
                await mcp.execute(McpInvoke(server="files", call=call), ALLOWED)

        case = "a call of an MCP tool in process, through ditto-mcp and a registry"
        samples = await in_turns({FLOOR: by_sdk, case: by_adapter}, effort)
    return [row(samples, case, floor="the SDK's client, call_tool(…)", budget=1.5, goal=1.25)]


async def many_tools(effort: Effort) -> list[Row]:
    """Measure one discovery of many tools through registry and adapter."""
    async with connect_inprocess(_server(), mode="legacy") as connection:
        sdk, mcp = await _sdk_client(connection), McpRegistry(max_capabilities=MANY)
        mcp.register("files", connection.client())

        async def by_sdk(times: int) -> None:
            for _ in range(times):
                found: dict[str, Tool] = {}
                page = await sdk.list_tools()
                found.update((tool.name, tool) for tool in page.tools)
                while page.next_cursor is not None:
                    page = await sdk.list_tools(cursor=page.next_cursor)
                    found.update((tool.name, tool) for tool in page.tools)

        async def by_adapter(times: int) -> None:
            for _ in range(times):
                await mcp.execute(McpDiscover(), ALLOWED)

        case = f"{MANY:,} MCP tools discovered in process, through ditto-mcp and a registry"
        samples = await in_turns({FLOOR: by_sdk, case: by_adapter}, effort)
    return [row(samples, case, floor="the SDK's client, its pages in a loop", budget=1.2, goal=1.1, operations=MANY)]
