"""What type checkers know of MCP: checked by mypy, not run."""

from __future__ import annotations

from typing import assert_type

from ditto_core import (
    ACT_MCP,
    ACT_TOOL,
    ExternalResult,
    JsonObject,
    McpCapability,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    McpInvoked,
    McpPage,
    McpRegistry,
    McpToolResult,
    Runtime,
    Sandbox,
    Tool,
    mcp_tools,
)


class Client:
    async def list_tools(self, cursor: str | None = None) -> McpPage:
        return McpPage(tools=[])

    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        return McpToolResult(content="a")


class Silent:
    async def list_tools(self) -> McpPage:
        return McpPage(tools=[])


async def the_operation_narrows_the_output(runtime: Runtime) -> ExternalResult:
    output = await runtime.invoke(ACT_MCP, McpDiscover())
    assert_type(output, McpDiscovered | McpInvoked)
    if output.operation == "discover":
        assert_type(output.capabilities, tuple[McpCapability, ...])
        raise LookupError
    return output.result


async def the_registry_knows_what_it_gives(registry: McpRegistry, sandbox: Sandbox, input: McpInvoke) -> None:
    assert_type(await registry.execute(McpDiscover(), sandbox), McpDiscovered)
    assert_type((await registry.execute(input, sandbox)).result, ExternalResult)
    assert_type(await mcp_tools(registry, sandbox, "files"), tuple[Tool[JsonObject], ...])


async def what_does_not_fit_is_an_error(runtime: Runtime, registry: McpRegistry, input: McpInvoke) -> None:
    registry.register("files", Client())
    registry.register("files", Silent())  # type: ignore[arg-type]
    await runtime.invoke(ACT_TOOL, input)  # type: ignore[misc]
