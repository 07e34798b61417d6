"""Loads the pack ``acme`` by its name, registers it and calls a tool of it: run where only wheels are installed."""

from __future__ import annotations

import asyncio
import tempfile
from importlib.metadata import distribution
from pathlib import Path

from ditto_core import ACT_TOOL, PluginHost, Runtime, Sandbox, ToolCall, ToolInput, interaction_worker, load_plugin


async def main() -> None:
    """Call every tool that needs no argument, in a folder with one file."""
    pack = load_plugin("acme")
    version = distribution("acme-pack").version
    host = PluginHost()
    host.register(pack)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "note.txt").write_text("A line.\n", encoding="utf-8")
        sandbox = Sandbox(folder, tools=["*"], read=True)
        async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=sandbox) as runtime:
            free = [tool.name for tool in runtime.tools() if not tool.input_schema.get("required")]
            assert free, "acme-pack offers no tool that can be called without arguments"
            for name in free:
                call = ToolCall(id=f"call-{name}", name=name, arguments={})
                result = await runtime.invoke(ACT_TOOL, ToolInput(call=call), timeout=30.0)
                assert (result.call_id, result.status) == (call.id, "success"), result
    print(f"acme-pack {version}: called {', '.join(free)}")


if __name__ == "__main__":
    asyncio.run(main())
