"""The named plugins as an MCP server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ditto_core import Runtime, Sandbox, interaction_worker

from .composing import Composed, composed
from .exits import Exit
from .given import given
from .granting import sandbox_of
from .missing import needed


def serve_plugins(
    plugins: Iterable[str], config: Path | None, workspace: Path, allow: Iterable[str], port: int | None
) -> Exit:
    """Serve until the client hangs up, or for ever over HTTP; return the exit status."""
    mcp = needed("ditto_mcp", "to be an MCP server")
    sandbox = sandbox_of(allow, workspace)
    found = composed(given(plugins), config)
    if not found.host.tools.list(sandbox):
        sys.stderr.write("ditto: no tool of these plugins is permitted; permit them: --allow tools:NAME\n")
        return Exit.REFUSED
    asyncio.run(_serve(mcp, found, sandbox, port))
    return Exit.SUCCESS


async def _serve(mcp: Any, found: Composed, sandbox: Sandbox, port: int | None) -> None:
    worker = interaction_worker(tools=found.host.tools)
    http = None if port is None else mcp.HttpAddress(port=port)
    async with found.host, Runtime(workers=[worker], sandbox=sandbox, config=found.config) as runtime:
        await mcp.serve_mcp(runtime, http=http, ready=lambda url: sys.stderr.write(f"ditto: listening on {url}\n"))
