"""A real terminal for one command at a time: a pseudo-terminal of a fixed size, read until the command ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs

COLUMNS, ROWS = 100, 40
SECONDS = 60.0
"""How long a command may take before the test fails."""


@attrs.define(eq=False)
class Terminal:
    """One command in a terminal; ``seen`` is what it has shown so far, with line ends as in a file."""

    process: subprocess.Popen[bytes]
    master: int
    seen: str = ""

    def wait_for(self, text: str) -> None:
        """Read until the text is shown."""
        deadline = time.monotonic() + SECONDS
        while text not in self.seen:
            assert self._read(deadline), f"it ended without showing {text!r}: {self.seen!r}"

    def press(self, keys: bytes) -> None:
        """Type something."""
        os.write(self.master, keys)

    def end(self) -> int:
        """Read until the command ends and return its exit status."""
        deadline = time.monotonic() + SECONDS
        while self._read(deadline):
            pass
        return self.process.wait(timeout=SECONDS)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"nothing more was shown in time: {self.seen!r}"
        try:
            data = os.read(self.master, 65_536)
        except OSError:  # Linux says so when the last program has let go of the terminal
            return False
        self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


@contextlib.contextmanager
def terminal(words: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> Iterator[Terminal]:
    """Start a command with a terminal of its own, as a login would; it is killed when the test leaves."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def take_terminal() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # where the tests run in the background, it is ignored
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        words,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", **environment},
        preexec_fn=take_terminal,  # noqa: PLW1509 - the child does nothing else before exec
    )
    os.close(slave)
    try:
        yield Terminal(process=process, master=master)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(timeout=SECONDS)
        os.close(master)
