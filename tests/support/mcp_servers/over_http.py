"""The kitchen as a process that listens on this machine."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

import attrs

from tests.support.project import ROOT


@attrs.frozen
class ServerOverHttp:
    """A running server: where it listens, and its process."""

    url: str
    process: subprocess.Popen[bytes]


@contextlib.contextmanager
def kitchen_over_http() -> Iterator[ServerOverHttp]:
    """Start one and end it."""
    words = [sys.executable, "-m", "tests.support.mcp_servers.kitchen", "http"]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            yield ServerOverHttp(f"http://127.0.0.1:{port}/mcp", process)
        finally:
            process.kill()
