"""A search provider of one's own, as a plugin, and the tool `web_search` that asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import attrs

from ditto_core import (
    ACT_TOOL,
    PluginHost,
    Runtime,
    Sandbox,
    SearchFailed,
    SearchHit,
    ToolCall,
    ToolInput,
    WebSearchProvider,
    hookimpl,
    interaction_worker,
    plain_text,
    web_search_tool,
)

PAGES = {
    "https://tides.example/table": ("Tide table", "High <b>water</b> in the harbour at 06:12 &amp; 18:40."),
    "https://tides.example/boats": ("Boats &lt; 10 m", "They stay out at low <b>water</b>."),
}


@attrs.frozen(eq=False)
class Harbour:
    """Answers from two pages, in HTML, as many search engines do; a real one would ask its service here."""

    api_version: ClassVar[int] = 1

    origin: str | None = "https://api.tides.example"
    closed: list[str] = attrs.field(factory=list)

    @hookimpl
    def ditto_web_search_providers(self) -> Mapping[str, WebSearchProvider]:
        """Offer this provider as ``harbour``."""
        return {"harbour": self}

    async def search(self, query: str, limit: int) -> Sequence[SearchHit]:
        """Return the pages that hold the query; one attempt, and no retry."""
        if query in self.closed:
            raise SearchFailed("The service does not answer at the moment.", retryable=True)
        found = [
            SearchHit(title=plain_text(title), url=url, snippet=plain_text(text))
            for url, (title, text) in PAGES.items()
            if query in text
        ]
        return found[:limit]


async def main() -> None:
    """Search three times: with hits, without, and while the service is closed."""
    harbour = Harbour(closed=["cargo"])
    host = PluginHost()
    host.register(harbour)
    search = web_search_tool(host.search_provider("harbour"))
    sandbox = Sandbox(tools=[search.name], network=["https://api.tides.example"])
    async with Runtime(workers=[interaction_worker(tools=[search])], sandbox=sandbox) as runtime:
        for query in ("water", "ice", "cargo"):
            call = ToolCall(id="call-1", name="web_search", arguments={"query": query, "limit": 2})
            result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
            if result.error:
                print(f"{query}: {result.status}, {result.error.code}, retryable: {result.error.retryable}")
                continue
            content: Any = result.structured_content
            print(f"{query}: {result.status}, {len(content['results'])} results")
            for page in content["results"]:
                print(f"  {page['title']} <{page['url']}>\n    {page['snippet']}")


if __name__ == "__main__":
    asyncio.run(main())
