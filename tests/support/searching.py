"""Search providers that do what a test wants, and calls of the tool made of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ditto_core import ExternalResult, Sandbox, SearchHit, ToolCall, ToolContext, ToolRegistry, web_search_tool
from tests.support import run

ORIGIN = "https://search.example"
QUERY = "the words that nobody else may see"


class Searching:
    """A provider that notes what it is asked and then answers, or does what it is told."""

    def __init__(
        self, answer: Any = (), *, does: Callable[[], Awaitable[Any]] | None = None, origin: Any = ORIGIN
    ) -> None:
        self.answer = answer
        self.does = does
        self.origin = origin
        self.asked: list[tuple[str, int]] = []

    async def search(self, query: str, limit: int) -> Any:
        self.asked.append((query, limit))
        return self.answer if self.does is None else await self.does()


def hit(url: str = "https://a.example/", title: str = "A", snippet: str = "about a") -> SearchHit:
    """Return a hit."""
    return SearchHit(title=title, url=url, snippet=snippet)


async def asking(provider: Any, *, sandbox: Sandbox | None = None, **arguments: Any) -> ExternalResult:
    """Call the tool made of a provider through a registry."""
    registry = ToolRegistry()
    registry.register(web_search_tool(provider))
    call = ToolCall(id="c1", name="web_search", arguments={"query": QUERY, **arguments})
    allowed = Sandbox(tools=["web_search"], network=[ORIGIN]) if sandbox is None else sandbox
    return await registry.call(call, ToolContext(sandbox=allowed))


def search(provider: Any, *, sandbox: Sandbox | None = None, **arguments: Any) -> ExternalResult:
    """Do that in an event loop of its own."""
    return run(asking(provider, sandbox=sandbox, **arguments))
