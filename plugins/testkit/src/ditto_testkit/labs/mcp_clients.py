"""An MCP client at work: connected anew for each check, to a server whose tools the contract names."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, ClassVar, Self

import attrs

from ditto_core import (
    JsonObject,
    JsonValue,
    McpClient,
    McpInvoke,
    McpPage,
    McpRegistry,
    McpTool,
    Sandbox,
    ToolCall,
)

from ..capabilities import Capabilities
from ..subjects import Subject
from .blocked import Blocked
from .loop import Ended, Loop

SERVER = "kit"
_SANDBOX = Sandbox(mcp=[SERVER])

MAX_PAGES = 1_000
"""How many pages a catalogue may have before it is taken to have no end."""


@attrs.frozen(kw_only=True, eq=False)
class McpClientSubject(Subject):
    """An MCP client with what its checks need to know of the server that it is connected to.

    ``make`` gives an async context manager, in which the client is connected. ``echo`` is the name of a tool that
    takes ``{"value": …}`` and gives just that back as structured content. ``failing`` is a call that the tool answers
    with a failure, ``endless`` one that has no end unless it is cancelled, each as a name and its arguments.
    ``hidden`` is a tool that the server has and the client must not reach. ``reached(client)`` gives the names of the
    tools whose calls have reached the server over this connection, in their order. Of these five each may be left out
    if the capabilities say why.
    """

    kind: ClassVar[str] = "MCP client"
    prefix: ClassVar[str] = "MC"

    make: Callable[[], AbstractAsyncContextManager[McpClient]]
    echo: str = ""
    failing: tuple[str, JsonObject] | None = None
    endless: tuple[str, JsonObject] | None = None
    hidden: str = ""
    reached: Callable[[McpClient], Sequence[str]] | None = None
    capabilities: Capabilities = attrs.field(factory=Capabilities)

    def lab(self) -> McpClientLab:
        """Return where a check runs it."""
        return McpClientLab(self)


class McpClientLab:
    """One connection after another, each for one check and in an event loop of its own."""

    client: McpClient

    def __init__(self, subject: McpClientSubject) -> None:
        self.subject = subject
        self.capabilities = subject.capabilities

    def __enter__(self) -> Self:
        self.loop = Loop(self.capabilities.call_timeout)
        return self

    def begin(self) -> None:
        """Begin a check with a new connection; raises :class:`Blocked` if there is none, or no client in it."""
        self.loop.__exit__(None, None, None)
        self.loop = Loop(self.capabilities.call_timeout)
        try:
            self.loop.hold(_Kept(self))
            McpRegistry().register(SERVER, self.client)
        except Exception as error:
            raise Blocked("MC-001", f"{type(error).__name__}: {error}") from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.loop.__exit__(kind, error, trace)

    def reached(self) -> list[str] | None:
        """Return the names of the calls that have reached the server, or None where that cannot be known."""
        return None if self.subject.reached is None else list(self.subject.reached(self.client))

    def pages(self) -> list[McpPage]:
        """Return all pages, nothing of them checked; raises :class:`Blocked` for what has no end or is no page."""
        return self.loop.run(walk(self.client))

    def tools(self) -> list[McpTool]:
        """Return the tools of all pages."""
        return [tool for page in self.pages() for tool in page.tools]

    def call(self, name: str, arguments: JsonObject, id: str = "c1") -> Ended:
        """Call a tool as a worker does, with its answer checked, and return how that ended."""
        return self.loop.ended(calling(self.client, name, arguments, id))

    def echo(self, value: JsonValue) -> JsonValue:
        """Return what comes back of a value; raises :class:`Blocked` if no answer does that a registry takes."""
        ended = self.call(self.subject.echo, {"value": value})
        if ended.error is not None:
            raise Blocked("MC-010", f"{type(ended.error).__name__}: {ended.error}") from ended.error
        content: JsonValue = ended.value.structured_content
        return content


class _Kept:
    """The connection of a lab: entered, it leaves its client there."""

    def __init__(self, lab: McpClientLab) -> None:
        self._lab = lab
        self._manager = lab.subject.make()

    async def __aenter__(self) -> None:
        self._lab.client = await self._manager.__aenter__()

    async def __aexit__(self, *error: object) -> None:
        await self._manager.__aexit__(*error)  # type: ignore[arg-type]


def is_page(page: object) -> bool:
    """Tell whether this is a page that holds tools only."""
    return (
        type(page) is McpPage
        and type(page.tools) in (tuple, list)
        and all(type(tool) is McpTool for tool in page.tools)
        and type(page.next_cursor) in (str, type(None))
    )


async def walk(client: McpClient) -> list[McpPage]:
    """Return all pages of a client's catalogue."""
    pages: list[McpPage] = []
    cursor: Any = None
    while not pages or cursor is not None:
        if len(pages) == MAX_PAGES:
            raise Blocked("MC-003", f"there are more than {MAX_PAGES:,} pages")
        page = await (client.list_tools() if cursor is None else client.list_tools(cursor))
        if not is_page(page):
            raise Blocked("MC-002", f"list_tools returned {type(page).__name__}")
        pages.append(page)
        cursor = page.next_cursor
    return pages


def calling(client: McpClient, name: str, arguments: JsonObject, id: str) -> Coroutine[Any, Any, Any]:
    """Call a tool through a registry, which checks the answer."""
    registry = McpRegistry()
    registry.register(SERVER, client)

    async def call() -> Any:
        call = ToolCall(id=id, name=name, arguments=arguments)
        return (await registry.execute(McpInvoke(server=SERVER, call=call), _SANDBOX)).result

    return call()
