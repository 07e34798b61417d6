"""Search the documents of a folder, offline: the tool that searches the web, with a provider that needs no key."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from ditto_core import ACT_TOOL, PluginHost, Runtime, Sandbox, ToolCall, ToolInput, interaction_worker, web_search_tool
from ditto_local_search import LocalSearch

HANDBOOK = {
    "travel/booking.md": "# Booking a trip\n\nBook trains before flights. The budget of a trip is the team's.",
    "travel/expenses.md": "# Expenses\n\nReceipts go to accounting within 30 days of the trip.",
    "security/badges.md": "# Badges\n\nA lost badge is reported at the front desk at once.",
}


def write(folder: str) -> None:
    """Write the handbook into a folder."""
    for name, text in HANDBOOK.items():
        path = Path(folder, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


async def ask(folder: str, *questions: str) -> None:
    """Ask the handbook."""
    host = PluginHost()
    host.register(LocalSearch(folder=folder, base_url="https://handbook.example.com/"))
    search = web_search_tool(host.search_provider("local_search"))
    worker = interaction_worker(tools=[search])
    async with host, Runtime(workers=[worker], sandbox=Sandbox(tools=["web_search"])) as runtime:
        for question in questions:
            call = ToolCall(id="call-1", name="web_search", arguments={"query": question, "limit": 2})
            result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
            found: Any = result.structured_content
            print(f"{question}: {result.status}")
            for hit in found["results"]:
                print(f"  {hit['title']} <{hit['url']}>\n    {hit['snippet']}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        write(temporary)
        asyncio.run(ask(temporary, "receipts trip", "lost my badge"))
