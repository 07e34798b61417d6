"""Clients of MCP servers that exist only in memory."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ditto_core import (
    McpClient,
    McpDiscover,
    McpInvoke,
    McpPage,
    McpRegistry,
    McpTool,
    McpToolResult,
    Sandbox,
    ToolCall,
)

ALL = Sandbox(mcp=["*"])
SCHEMA: dict[str, Any] = {"type": "object"}


class Server:
    """A client that answers with what it is given, and keeps what it was asked.

    ``pages`` are by cursor, the first one under None; ``answer`` is what calls give. Either may be an exception, which
    is raised, or a function, whose answer is given.
    """

    def __init__(self, pages: Mapping[str | None, Any] | None = None, answer: Any = None) -> None:
        self.pages: Mapping[str | None, Any] = pages if pages is not None else {None: page()}
        self.answer = answer if answer is not None else McpToolResult(content="done")
        self.cursors: list[tuple[str | None, ...]] = []
        self.calls: list[tuple[str, Any]] = []

    async def list_tools(self, *cursor: str | None) -> McpPage:
        self.cursors.append(cursor)
        return await given(self.pages[cursor[0] if cursor else None])  # type: ignore[no-any-return]

    async def call_tool(self, name: str, arguments: Any) -> McpToolResult:
        self.calls.append((name, arguments))
        return await given(self.answer)  # type: ignore[no-any-return]

    @property
    def untouched(self) -> bool:
        """Whether nothing has been asked of it."""
        return not self.cursors and not self.calls


async def given(answer: Any) -> Any:
    """Raise an exception, give what a function gives, and anything else as it is."""
    if isinstance(answer, BaseException):
        raise answer
    if inspect.isfunction(answer) or inspect.ismethod(answer):
        answer = answer()
    return await answer if inspect.isawaitable(answer) else answer


def page(*names: str, cursor: str | None = None) -> McpPage:
    """Return a page of tools with these names."""
    return McpPage(tools=tuple(McpTool(name=name, input_schema=SCHEMA) for name in names), next_cursor=cursor)


def registry(clients: Mapping[str, McpClient] | McpClient, **limits: Any) -> McpRegistry:
    """Return a registry of these clients; a client alone is the server ``files``."""
    made = McpRegistry(**limits)
    for name, client in clients.items() if isinstance(clients, Mapping) else [("files", clients)]:
        made.register(name, client)
    return made


def invoke(server: str = "files", name: str = "read", arguments: Any = None, id: str = "c1") -> McpInvoke:
    """Return the input of one call."""
    return McpInvoke(server=server, call=ToolCall(id=id, name=name, arguments={} if arguments is None else arguments))


async def names_found(mcp: McpRegistry, server: str | None = None) -> list[str]:
    """Return the names that a discovery finds, each with its server."""
    input = McpDiscover() if server is None else McpDiscover(server=server)
    found = await mcp.execute(input, ALL)
    return [f"{one.server}:{one.name}" for one in found.capabilities]


async def result_of(answer: Any, **call: Any) -> Any:
    """Return the result of one call whose client answers so."""
    return (await registry(Server(answer=answer)).execute(invoke(**call), ALL)).result


def raising(error: BaseException) -> Callable[[], Any]:
    """Return a function that raises."""

    def raises() -> Any:
        raise error

    return raises
