"""Call a tool of a pack, observe its result, and deliver what was observed."""

import asyncio
from pathlib import Path

from acme_pack import AcmePack
from ditto_console import ConsoleSink
from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    ObserveInput,
    OutputRequest,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
)

THIS_FILE = Path(__file__)


async def main() -> None:
    """Register two plugins, permit one tool to read one folder, and make one call."""
    host = PluginHost()
    host.register(AcmePack())
    host.register(ConsoleSink())
    worker = interaction_worker(tools=host.tools, output=host.sink("console"))
    sandbox = Sandbox(THIS_FILE.parent, tools=["read_text"], read=True)

    async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
        call = ToolCall(id="call-1", name="read_text", arguments={"path": THIS_FILE.name, "max_lines": 1})
        result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
        observation = await runtime.invoke(OBSERVE, ObserveInput(result=result))
        await runtime.invoke(OUTPUT, OutputRequest(delivery_id="answer-1", message=observation.message))


if __name__ == "__main__":
    asyncio.run(main())
