"""Read a file through the filesystem server of MCP, and print what was observed.

``python mcp_filesystem.py WORKSPACE RELATIVE_FILE [COMMAND ...]``: the command starts the server, and the workspace is
put to its end. By itself it is ``npx -y @modelcontextprotocol/server-filesystem``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ditto_core import (
    ACT_MCP,
    OBSERVE,
    Graph,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    McpInvoked,
    McpOutput,
    Observation,
    ObserveInput,
    Runtime,
    Sandbox,
    ToolCall,
    interaction_worker,
    to_wire,
)
from ditto_mcp import connect_stdio

USAGE = "Usage: python mcp_filesystem.py WORKSPACE RELATIVE_FILE [COMMAND ...]"
COMMAND = ("npx", "-y", "@modelcontextprotocol/server-filesystem")
SECONDS = 15.0

reading = Graph("read-via-mcp", str)


@reading.node(ACT_MCP)
def discovery(path: str) -> McpDiscover:
    """Ask what the server offers."""
    return McpDiscover(server="files")


@reading.node(ACT_MCP, discovery)
def read(path: str, found: McpOutput) -> McpInvoke:
    """Ask for the file, if there is a tool for that."""
    if not isinstance(found, McpDiscovered) or "read_text_file" not in {tool.name for tool in found.capabilities}:
        raise LookupError("The server does not offer read_text_file.")
    return McpInvoke(server="files", call=ToolCall(id="read-1", name="read_text_file", arguments={"path": path}))


@reading.node(OBSERVE, read)
def observation(path: str, done: McpOutput) -> ObserveInput:
    """Make the answer what a model reads."""
    if not isinstance(done, McpInvoked):
        raise TypeError("An invocation was expected.")
    return ObserveInput(result=done.result)


async def run_mcp(workspace: Path, file: str, command: Sequence[str] = COMMAND) -> Observation:
    """Start the server for a folder, read the file, and close everything: first the runtime, then the connection."""
    connection = connect_stdio(command[0], [*command[1:], str(workspace)])
    worker = interaction_worker(mcp={"files": connection.client(allow={"read_text_file"})})
    async with connection, Runtime(workers=[worker], sandbox=Sandbox(workspace, mcp=["files"])) as runtime:
        outputs = await runtime.run(reading, str(workspace / file), timeout=SECONDS)
    observed = outputs[observation]
    if observed.status != "success":
        raise RuntimeError(observed.error.message if observed.error else "The file could not be read.")
    return observed


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(USAGE)
    answer = asyncio.run(run_mcp(Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:] or COMMAND))
    print(json.dumps(to_wire(answer), indent=2))
