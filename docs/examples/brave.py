"""Search through the provider for Brave, with a server of this machine in Brave's place."""

import asyncio
import json

from ditto_core import (
    ACT_TOOL,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    load_plugin,
    web_search_tool,
)
from ditto_testkit.fakes import ScriptedHttpServer, http_reply

HIT = {
    "title": "Hooks of <strong>pluggy</strong>",
    "url": "https://pluggy.readthedocs.io/",
    "description": "<strong>Hooks</strong> &amp; plugins.",
}
FOUND = http_reply(json.dumps({"type": "search", "web": {"results": [HIT]}}))
BUSY = http_reply('{"type": "ErrorResponse", "error": {"detail": "your key is secret-1"}}', 429)


async def main() -> None:
    """Search twice: the first answer has a hit, the second says to ask less often."""
    async with ScriptedHttpServer([FOUND, BUSY]) as server:
        brave = load_plugin("brave", api_key="secret-1", endpoint=f"{server.origin}/res/v1/web/search")
        host = PluginHost()
        host.register(brave)
        search = web_search_tool(host.search_provider("brave"))
        worker = interaction_worker(tools=[search])
        sandbox = Sandbox(tools=[search.name], network=[brave.origin])
        async with host, Runtime(workers=[worker], sandbox=sandbox) as runtime:
            for id in ("s1", "s2"):
                call = ToolCall(id=id, name="web_search", arguments={"query": "pluggy hooks", "limit": 3})
                result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
                print(result.structured_content if result.status == "success" else result.error)
        for request in server.requests:
            print(request.method, request.target)


asyncio.run(main())
