"""The kitchen as a process that listens on this machine."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

from tests.support.project import ROOT


@attrs.frozen
class ServerOverHttp:
    """A running server: where it listens, and its process."""

    url: str
    process: subprocess.Popen[bytes]


@contextlib.contextmanager
def kitchen_over_http(folder: Path) -> Iterator[ServerOverHttp]:
    """Start one and end it."""
    file = folder / "port"
    words = [sys.executable, "-m", "tests.support.mcp_servers.kitchen", "http", str(file)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 30
            while not file.exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            yield ServerOverHttp(f"http://127.0.0.1:{file.read_text()}/mcp", process)
        finally:
            process.kill()
