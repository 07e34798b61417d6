"""Loads the pack ``acme`` by its name, registers it and calls it: run where only wheels are installed."""

from __future__ import annotations

import asyncio
import tempfile
from importlib.metadata import version
from pathlib import Path

from ditto_core import (
    ACT_TOOL,
    JsonObject,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    load_plugin,
)

CALLS: dict[str, JsonObject] = {"list_files": {}, "read_text": {"path": "note.txt"}}


async def main() -> None:
    """Call tools of the pack in a folder with one file."""
    host = PluginHost()
    host.register(load_plugin("acme"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "note.txt").write_text("A line.\n", encoding="utf-8")
        sandbox = Sandbox(folder, tools=list(CALLS), read=True)
        async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=sandbox) as runtime:
            for name, arguments in CALLS.items():
                call = ToolCall(id=f"call-{name}", name=name, arguments=arguments)
                result = await runtime.invoke(ACT_TOOL, ToolInput(call=call), timeout=30.0)
                assert (result.call_id, result.status) == (call.id, "success"), result
    print(f"acme-pack {version('acme-pack')}: called {', '.join(CALLS)}")


if __name__ == "__main__":
    asyncio.run(main())
