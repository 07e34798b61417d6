"""Each of the fourteen read-only commands, then a search without a match and an output that is cut."""

from __future__ import annotations

import asyncio
import shlex
import tempfile
from pathlib import Path
from typing import Any

from ditto_commands import CommandTools
from ditto_core import (
    ACT_TOOL,
    ExternalResult,
    JsonObject,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
)
from ditto_local import LocalExecutor

CALLS: list[tuple[str, JsonObject]] = [
    ("ls", {"all": True}),
    ("find", {"name": "*.csv", "type": "file"}),
    ("grep", {"pattern": "^pear,", "paths": ["prices.csv", "old/prices.csv"], "ignoreCase": True}),
    ("cat", {"path": "fruit.txt"}),
    ("head", {"path": "fruit.txt", "lines": 1}),
    ("tail", {"path": "fruit.txt", "lines": 1}),
    ("wc", {"path": "fruit.txt", "metric": "words"}),
    ("sort", {"path": "prices.csv", "reverse": True}),
    ("uniq", {"path": "fruit.txt", "count": True}),
    ("cut", {"path": "prices.csv", "fields": "1", "delimiter": ","}),
    ("stat", {"path": "fruit.txt"}),
    ("file", {"path": "fruit.txt"}),
    ("du", {"path": "old", "maxDepth": 0}),
    ("pwd", {}),
    ("grep", {"pattern": "plum", "paths": ["fruit.txt"], "fixedStrings": True}),
    ("cat", {"path": "many.txt"}),
]


def fill(shop: Path) -> None:
    """Write the files that are looked at."""
    (shop / "old").mkdir(parents=True)
    (shop / "fruit.txt").write_text("apple\napple\npear\n")
    (shop / "prices.csv").write_text("apple,3\nPear,5\n")
    (shop / "old/prices.csv").write_text("apple,2\npear,4\n")
    (shop / "many.txt").write_text("many\n" * 1_000)


def shown(name: str, content: str) -> str:
    """Return of an output what is the same on every machine."""
    match name:
        case "stat":
            return content.splitlines(keepends=True)[0]  # and not times and numbers of blocks
        case "du":
            return content.split("\t")[1]  # and not its size on this disk
        case "pwd":
            return content.rpartition("/")[2]  # and not where the folder is
        case "find":
            return "".join(sorted(content.splitlines(keepends=True)))  # which come in the disk's order
    return content


def report(result: ExternalResult) -> None:
    """Print what became of a call."""
    told: Any = result.structured_content
    print("$", shlex.join([told["command"], *told["args"]]))
    print(shown(result.source, str(result.content)), end="")
    if result.error:
        print(f"→ {result.status}: {result.error.code}: {result.error.message}")
    if told["truncated"]:
        print(f"→ {' and '.join(told['cut'])} cut: {told['maxEntries']} lines of {told['stdoutBytes']:,} bytes in all")


async def main() -> None:
    """Permit all tools of one plugin, and let the executor run their programs."""
    host = PluginHost()
    host.register(CommandTools(max_entries=12))
    programs = [tool.name for tool in host.tools.list(Sandbox(tools=["*"]))]
    worker = interaction_worker(tools=host.tools)
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(folder, "shop")
        fill(shop)
        sandbox = Sandbox(shop, tools=programs, execute=True, executor=LocalExecutor(programs))
        async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
            for number, (name, arguments) in enumerate(CALLS):
                call = ToolCall(id=f"call-{number}", name=name, arguments=arguments)
                report(await runtime.invoke(ACT_TOOL, ToolInput(call=call)))


if __name__ == "__main__":
    asyncio.run(main())
