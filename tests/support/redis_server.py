"""A Redis of a test's own: on a socket in a folder of its own, without a port and without a file."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from threading import Timer
from typing import Self

import pytest
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

STARTING = 30.0
"""How many seconds a server may take to be ready."""


class RedisServer:
    """A server that runs until it is stopped; with `start` again it comes back under the same address, empty."""

    def __init__(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            pytest.fail(
                "These tests need Redis, and there is no redis-server. On Debian: apt-get install redis-server",
                pytrace=False,
            )
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="redis-"))  # a short one: the path of a socket is bounded
        self._process: subprocess.Popen[str] | None = None
        self.url = f"unix://{self._folder / 'socket'}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = [self._program, "--port", "0", "--unixsocket", str(self._folder / "socket"), "--save", ""]
        self._process = subprocess.Popen(
            [*command, "--appendonly", "no", "--dir", str(self._folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        said = []
        timer = Timer(STARTING, self._process.kill)
        timer.start()
        try:
            for line in self._process.stdout:
                said.append(line)
                if "accept connections" in line:
                    return
        finally:
            timer.cancel()
        raise RuntimeError(f"redis-server did not start:\n{''.join(said)}")

    def kill(self) -> None:
        """End the server at once, with all that it holds."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def client(self, **options: object) -> redis.asyncio.Redis:
        """Return a client that tries nothing twice; whoever asks for it closes it."""
        return redis.asyncio.Redis.from_url(self.url, retry=Retry(NoBackoff(), 0), **options)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self._folder)
