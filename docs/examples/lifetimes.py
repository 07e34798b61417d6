"""What closes what: first the runtime, then the plugins of the host, then what the application opened itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Self

import attrs

from ditto_core import (
    ACT_TOOL,
    PluginHost,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolInput,
    hookimpl,
    interaction_worker,
    tool,
)


@asynccontextmanager
async def connected(name: str) -> AsyncIterator[None]:
    """Stand for a client, a pool or a session: something that is opened and closed."""
    print(f"{name}: open")
    yield
    print(f"{name}: closed")


@tool
async def import_data() -> str:
    """Take some time."""
    await asyncio.sleep(0.02)
    print("call: ended")
    return "imported"


@attrs.frozen(eq=False)
class Pack:
    """A plugin with a connection of its own, which the host opens and closes."""

    api_version: ClassVar[int] = 1

    connection: Any = attrs.field(factory=lambda: connected("the plugin's connection"))

    async def __aenter__(self) -> Self:
        await self.connection.__aenter__()
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.connection.__aexit__(*failure)

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tool."""
        return [import_data]


async def main() -> None:
    """Leave while a call is running: it comes to its end before anything that it may use is closed."""
    host = PluginHost()
    host.register(Pack())
    worker = interaction_worker(tools=host.tools)
    async with (
        connected("the application's client"),
        host,
        Runtime(workers=[worker], sandbox=Sandbox(tools=["import_data"])) as runtime,
    ):
        call = ToolInput(call=ToolCall(id="c1", name="import_data", arguments={}))
        running = asyncio.create_task(runtime.invoke(ACT_TOOL, call))
        await asyncio.sleep(0)  # it begins
        print("runtime: closing")
    print((await running).content)


if __name__ == "__main__":
    asyncio.run(main())
