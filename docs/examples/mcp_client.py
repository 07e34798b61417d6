"""A client of an MCP server, and what Ditto does with it: discover, call, observe, offer its tools as one's own."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from ditto_core import (
    ACT_MCP,
    ACT_TOOL,
    OBSERVE,
    Graph,
    JsonObject,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    McpInvoked,
    McpOutput,
    McpPage,
    McpRegistry,
    McpTool,
    McpToolResult,
    ObserveInput,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    ToolRegistry,
    interaction_worker,
    mcp_tools,
)


class Library:
    """Stands for a connection to a server. A real one asks the server, and gives on what it says."""

    books: ClassVar = {"emma": "Emma Woodhouse, handsome, clever, and rich"}

    async def list_tools(self, cursor: str | None = None) -> McpPage:
        """Return one page; `next_cursor` says what to ask for the next one with."""
        schema: JsonObject = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
        if cursor is None:
            tool = McpTool(name="books/read", description="Read a book.", input_schema=schema)
            return McpPage(tools=[tool], next_cursor="2")
        return McpPage(tools=[McpTool(name="count", input_schema={"type": "object"})])

    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        """Call one tool; its failure is an answer, not an exception."""
        if name == "count":
            return McpToolResult(structured_content={"books": len(self.books)})
        title = arguments.get("title")
        if not isinstance(title, str) or title not in self.books:
            return McpToolResult(content="There is no such book.", is_error=True)
        return McpToolResult(content=self.books[title])


reading = Graph("reading", str)


@reading.node(ACT_MCP)
def offered(title: str) -> McpDiscover:
    """Ask what the library offers."""
    return McpDiscover(server="library")


@reading.node(ACT_MCP, offered)
def read(title: str, found: McpOutput) -> McpInvoke:
    """Ask for the book, unless the library has nobody who reads."""
    assert isinstance(found, McpDiscovered)
    if "books/read" not in {capability.name for capability in found.capabilities}:
        raise LookupError("the library does not offer books/read")
    return McpInvoke(server="library", call=ToolCall(id="read-1", name="books/read", arguments={"title": title}))


@reading.node(OBSERVE, read)
def observation(title: str, done: McpOutput) -> ObserveInput:
    """Make the answer what a model reads."""
    assert isinstance(done, McpInvoked)
    return ObserveInput(result=done.result)


async def main() -> None:
    """Run the graph for two books, then use the same server through tools of one's own."""
    mcp, tools = McpRegistry(discovery_timeout=10), ToolRegistry()
    mcp.register("library", Library())
    sandbox = Sandbox(mcp=["library"], tools=["library_read", "library_count"])
    async with Runtime(workers=[interaction_worker(tools=tools, mcp=mcp)], sandbox=sandbox) as runtime:
        for title in ("emma", "middlemarch"):
            seen = (await runtime.run(reading, title))[observation]
            print(seen.source, seen.status, seen.message.content)

        offers = await mcp_tools(mcp, sandbox, "library", rename={"books/read": "read"}, prefix="library_")
        tools.register_all(offers)
        print("tools:", *(definition.name for definition in runtime.tools()))
        call = ToolCall(id="count-1", name="library_count", arguments={})
        result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
        print(result.source, result.status, result.structured_content)


if __name__ == "__main__":
    asyncio.run(main())
