"""A web search with twenty hits: what the tool costs above the call of its provider."""

from __future__ import annotations

from typing import Final

from ditto_core import Sandbox, SearchHit, ToolCall, ToolContext, ToolRegistry, web_search_tool

from .calls import ARGUMENTS, FLOOR_OF_A_CALL, floor
from .harness import FLOOR, Effort, Row, in_turns, row

LIMIT: Final = 20
ORIGIN: Final = "https://search.example"
SNIPPET: Final = "What the page says about the query, in the words around it, and a little of what comes after them. "


class Provider:
    """Finds the same hits at once, so that nothing but its call is left of it."""

    origin: str | None = ORIGIN

    def __init__(self) -> None:
        self.hits = [
            SearchHit(
                title=f"Page number {number}: its title, of an ordinary length",
                url=f"https://www.site-{number}.example/articles/2024/a-page-about-it?from=search&page={number}",
                snippet=SNIPPET * 2 + ("…" if number % 2 else "."),
            )
            for number in range(LIMIT)
        ]

    async def search(self, query: str, limit: int) -> list[SearchHit]:
        return self.hits


async def above_the_provider(effort: Effort) -> list[Row]:
    """Measure a call of the registry, less the call of the provider alone."""
    provider, tools = Provider(), ToolRegistry()
    tools.register(web_search_tool(provider))
    context = ToolContext(sandbox=Sandbox(tools=["web_search"], network=[ORIGIN]))

    async def by_hand(times: int) -> None:
        for _ in range(times):
            await floor("add", ARGUMENTS)

    async def bare(times: int) -> None:
        for _ in range(times):
            await provider.search("what to look for", LIMIT)

    async def called(times: int) -> None:
        for _ in range(times):
            arguments = {"query": "what to look for", "limit": LIMIT}
            await tools.call(ToolCall(id="call-1", name="web_search", arguments=arguments), context)

    case = f"web_search of {LIMIT} hits, above its provider"
    samples = await in_turns({FLOOR: by_hand, "provider": bare, case: called}, effort)
    samples[case] = [ours - theirs for ours, theirs in zip(samples[case], samples["provider"], strict=True)]
    # A call, one walk of the result, twenty references and twenty rows are half of it, with nothing looked at yet.
    return [row(samples, case, floor=FLOOR_OF_A_CALL, budget=110, goal=100)]
