"""For each check of MCP clients a client that breaks that rule and no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from ditto_core import JsonObject, McpPage, McpTool, McpToolResult, PermissionDenied, UnknownTool
from ditto_testkit import Capabilities, McpClientSubject
from tests.plugins.testkit import left_behind

NAMES = ("echo", "fail", "wait", "other.tool/é")
SERVER = (*NAMES, "secret")
"""What the server behind all of them has; the clients show all but the last."""


class GoodClient:
    """Keeps every rule, with a server of its own inside; the others change one thing."""

    def __init__(self) -> None:
        self.reached: list[str] = []

    async def list_tools(self, cursor: str | None = None) -> McpPage:
        await asyncio.sleep(0)
        place = ("", "2").index(cursor) + 1 if cursor is not None else 0
        pages = (NAMES[:2], (), NAMES[2:])
        return McpPage(tools=tuple(map(self.tool, pages[place])), next_cursor=("", "2", None)[place])

    def tool(self, name: str) -> McpTool:
        return McpTool(name=name, input_schema={"type": "object"}, description=f"The tool {name}.")

    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        if name not in SERVER:
            raise UnknownTool("The server has no tool of that name.")
        if name not in NAMES:
            raise PermissionDenied("That tool is not allowed here.")
        return await self.send(name, arguments)

    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        self.reached.append(name)
        await asyncio.sleep(0)
        if name == "wait":
            await asyncio.Event().wait()
        if name == "fail":
            return McpToolResult(is_error=True, content="Traceback: /home/ann/x")
        return McpToolResult(structured_content={"value": arguments["value"]})


def subject(make: Callable[[], Any], /, **changed: Any) -> McpClientSubject:
    @asynccontextmanager
    async def connected() -> AsyncIterator[Any]:
        yield make()

    given: dict[str, Any] = {
        "make": connected,
        "echo": "echo",
        "failing": ("fail", {}),
        "endless": ("wait", {}),
        "hidden": "secret",
        "reached": lambda client: client.reached,
        "capabilities": Capabilities(call_timeout=2.0),
    }
    return McpClientSubject(**{**given, **changed})


class PlainMethod(GoodClient):
    call_tool: Any = property(lambda self: lambda *given: GoodClient.call_tool(self, *given))


class NotConnected:
    def __init__(self) -> None:
        raise ConnectionError("there is no server")


class PageOfDicts(GoodClient):
    async def list_tools(self, cursor: str | None = None) -> Any:
        page = await super().list_tools(cursor)
        return McpPage(tools=[{"name": tool.name} for tool in page.tools], next_cursor=page.next_cursor)  # type: ignore[misc]


class DropsTheCursor(GoodClient):
    async def list_tools(self, cursor: str | None = None) -> McpPage:
        return await super().list_tools(None if cursor == "" else cursor)


class SchemaAsText(GoodClient):
    def tool(self, name: str) -> McpTool:
        return McpTool(name=name, input_schema="{}" if name == "other.tool/é" else {})  # type: ignore[arg-type]


class ListsTwice(GoodClient):
    async def list_tools(self, cursor: str | None = None) -> McpPage:
        page = await super().list_tools(cursor)
        return McpPage(tools=(*page.tools, *page.tools[-1:]), next_cursor=page.next_cursor)


class Renames(GoodClient):
    def tool(self, name: str) -> McpTool:
        return super().tool(name.upper())


class KeepsItsPlace(GoodClient):
    def __init__(self) -> None:
        super().__init__()
        self.listed = 0

    async def list_tools(self, cursor: str | None = None) -> McpPage:
        self.listed += 1
        page = await super().list_tools(cursor)
        return page if self.listed <= 3 else McpPage(tools=page.tools[:1], next_cursor=page.next_cursor)


class AnswersWithADict(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> Any:
        answer = await super().send(name, arguments)
        return answer if answer.is_error else {"structuredContent": arguments}


class RaisesForNull(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        if arguments.get("value", 0) is None:
            raise ConnectionError("no null")
        return await super().send(name, arguments)


class DropsWhatIsEmpty(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        return await super().send(name, {"value": arguments.get("value") or None})


class ChangesArguments(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        answer = await super().send(name, dict(arguments))
        arguments["_meta"] = {}
        return answer


class TriesTwice(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        answer = await super().send(name, arguments)
        return await super().send(name, arguments) if answer.is_error else answer


class MixesAnswers(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        self.last = arguments
        answer = await super().send(name, arguments)
        return answer if name != "echo" else McpToolResult(structured_content={"value": self.last.get("value")})


class RaisesFailures(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        answer = await super().send(name, arguments)
        if answer.is_error:
            raise RuntimeError("The tool failed.")
        return answer


class TurnsFailuresIntoSuccess(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        answer = await super().send(name, arguments)
        return McpToolResult(content=answer.content, structured_content=answer.structured_content)


class ShowsWhatIsHidden(GoodClient):
    async def list_tools(self, cursor: str | None = None) -> McpPage:
        page = await super().list_tools(cursor)
        return McpPage(
            tools=(*page.tools, *([self.tool("secret")] if cursor == "2" else [])), next_cursor=page.next_cursor
        )


class CallsWhatIsHidden(GoodClient):
    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        if name == "secret":
            return McpToolResult(content="it is 42")
        return await super().call_tool(name, arguments)


class RefusesTooLate(GoodClient):
    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        if name == "secret":
            self.reached.append(name)
        return await super().call_tool(name, arguments)


class RepeatsArguments(GoodClient):
    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        if name not in SERVER:
            raise UnknownTool(f"The server has no tool {name}, asked for with {arguments}.")
        return await super().call_tool(name, arguments)


class SaysAPath(GoodClient):
    async def call_tool(self, name: str, arguments: JsonObject) -> McpToolResult:
        if name not in SERVER:
            raise UnknownTool("no such tool in /home/ann/server.py")
        return await super().call_tool(name, arguments)


class SwallowsCancellation(GoodClient):
    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        try:
            return await super().send(name, arguments)
        except asyncio.CancelledError:
            return McpToolResult(is_error=True, content="cancelled")


class LeavesATask(GoodClient):
    def __init__(self) -> None:
        super().__init__()
        self.tasks: list[Any] = []

    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        if name == "fail":
            self.tasks.append(asyncio.ensure_future(asyncio.Event().wait()))
        return await super().send(name, arguments)


class BreaksAfterAFailure(GoodClient):
    broken = False

    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        if self.broken and name == "echo":
            raise ConnectionError("the stream is closed")
        answer = await super().send(name, arguments)
        self.broken = self.broken or answer.is_error
        return answer


class EndsAfterACancellation(GoodClient):
    broken = False

    async def send(self, name: str, arguments: JsonObject) -> McpToolResult:
        if self.broken and name == "echo":
            raise ConnectionError("the stream is closed")
        try:
            return await super().send(name, arguments)
        except asyncio.CancelledError:
            self.broken = True
            raise


@asynccontextmanager
async def leaving_a_task() -> AsyncIterator[GoodClient]:
    left_behind.a_task()
    yield GoodClient()


@asynccontextmanager
async def leaving_a_file() -> AsyncIterator[GoodClient]:
    left_behind.an_open_file()
    yield GoodClient()


@asynccontextmanager
async def leaving_a_process() -> AsyncIterator[GoodClient]:
    left_behind.a_process("/bin/sleep", "60")
    yield GoodClient()


BROKEN: dict[str, Callable[[], McpClientSubject]] = {
    "MC-001 a method that is not async": lambda: subject(PlainMethod),
    "MC-001 no connection": lambda: subject(NotConnected),
    "MC-002 tools that are dicts": lambda: subject(PageOfDicts),
    "MC-003 drops an empty cursor": lambda: subject(DropsTheCursor),
    "MC-004 a schema that is text": lambda: subject(SchemaAsText),
    "MC-004 lists a tool twice": lambda: subject(ListsTwice),
    "MC-005 renames tools": lambda: subject(Renames),
    "MC-006 keeps its place": lambda: subject(KeepsItsPlace),
    "MC-007 does not say what to try": lambda: subject(GoodClient, hidden=""),
    "MC-010 a dict for an answer": lambda: subject(AnswersWithADict),
    "MC-010 raises for some arguments": lambda: subject(RaisesForNull),
    "MC-011 leaves out what is empty": lambda: subject(DropsWhatIsEmpty),
    "MC-012 changes the arguments": lambda: subject(ChangesArguments),
    "MC-013 tries twice": lambda: subject(TriesTwice),
    "MC-014 mixes answers": lambda: subject(MixesAnswers),
    "MC-015 raises a tool's failure": lambda: subject(RaisesFailures),
    "MC-015 gives a failure as a success": lambda: subject(TurnsFailuresIntoSuccess),
    "MC-016 lists what is hidden": lambda: subject(ShowsWhatIsHidden),
    "MC-016 calls what is hidden": lambda: subject(CallsWhatIsHidden),
    "MC-016 asks the server first": lambda: subject(RefusesTooLate),
    "MC-017 repeats the arguments": lambda: subject(RepeatsArguments),
    "MC-017 says a path": lambda: subject(SaysAPath),
    "MC-020 swallows a cancellation": lambda: subject(SwallowsCancellation),
    "MC-021 leaves a task": lambda: subject(LeavesATask, capabilities=Capabilities(call_timeout=0.2)),
    "MC-022 ends with a failure": lambda: subject(BreaksAfterAFailure),
    "MC-022 ends with a cancellation": lambda: subject(EndsAfterACancellation),
    "MC-030 leaves a task": lambda: subject(GoodClient, make=leaving_a_task),
    "MC-030 leaves a file open": lambda: subject(GoodClient, make=leaving_a_file),
    "MC-030 leaves a process": lambda: subject(GoodClient, make=leaving_a_process),
}
