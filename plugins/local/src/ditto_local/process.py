"""One command as a process: its two outputs as they come, its end, and the end of its group.

asyncio's stream API cannot let go of a pipe that a grandchild still holds, and stops reading a pipe that nobody
empties. This protocol reads everything as it comes; when the process has ended it takes what lies in the pipes and
closes them, whoever else holds them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from typing import Final, cast

from .output import BoundedOutput

_STDOUT, _STDERR = 1, 2
_READ_BYTES: Final = 65_536
REAP_SECONDS: Final = 5.0
"""How long the end of a killed process is waited for; only one that is stuck in the kernel takes longer."""


class CommandProcess(asyncio.SubprocessProtocol):
    """A started command. Wait for :attr:`over`, then call :meth:`end`, however the wait went."""

    def __init__(self, stdout: BoundedOutput, stderr: BoundedOutput) -> None:
        self._loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = self._loop.create_future()
        """Done when the process has ended and its output has been read."""
        self._outputs = {_STDOUT: stdout, _STDERR: stderr}
        self._emptied = asyncio.Event()
        self._closed = asyncio.Event()
        self._transport: asyncio.SubprocessTransport | None = None

    @classmethod
    async def start(
        cls,
        words: Sequence[str],
        *,
        stdout: BoundedOutput,
        stderr: BoundedOutput,
        folder: str,
        env: Mapping[str, str],
    ) -> CommandProcess:
        """Start a command in a session of its own, its standard input empty; raises what the system says."""
        _, process = await asyncio.get_running_loop().subprocess_exec(
            lambda: cls(stdout, stderr),
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env=dict(env),
            start_new_session=True,
        )
        return process

    @property
    def exit_code(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        return None if self._transport is None else self._transport.get_returncode()

    # What the event loop tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take what came; end a command that goes on printing long after its cut."""
        output = self._outputs[fd]
        output.feed(data)
        if output.exhausted and self.exit_code is None:
            self._kill_group()

    def process_exited(self) -> None:
        """End what is left of the group, and stop the pipes' own reading.

        What they have read before is delivered first, then :meth:`_empty_pipes` comes.
        """
        # Now and not later: the group is known by the number of a process that has just been reaped.
        self._kill_group()
        for fd in self._outputs:
            if (pipe := self._pipe(fd)) is not None:
                pipe.pause_reading()
        self._loop.call_soon(self._empty_pipes)

    def connection_lost(self, exc: Exception | None) -> None:
        """Know that the process is reaped and both pipes are closed."""
        self._closed.set()

    def _empty_pipes(self) -> None:
        """Read what lies in the pipes: when a process has ended, all that it wrote is there."""
        for fd, output in self._outputs.items():
            if (pipe := self._pipe(fd)) is not None:
                number = pipe.get_extra_info("pipe").fileno()
                with contextlib.suppress(BlockingIOError):
                    while not output.exhausted and (data := os.read(number, _READ_BYTES)):
                        output.feed(data)
        self._emptied.set()
        if not self.over.done():
            self.over.set_result(None)

    def _pipe(self, fd: int) -> asyncio.ReadTransport | None:
        """Return the reading end of an output unless it has come to its end or is closed."""
        pipe = None if self._transport is None else self._transport.get_pipe_transport(fd)
        return None if pipe is None or pipe.is_closing() else cast("asyncio.ReadTransport", pipe)

    def _kill_group(self) -> None:
        pid = None if self._transport is None else self._transport.get_pid()
        if pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    # What the executor asks

    async def end(self) -> None:
        """Kill what still runs, wait until the process is reaped and its pipes are empty, and close them.

        Goes on to the end even if it is cancelled meanwhile; the cancellation then comes out.
        """
        if self.exit_code is None:
            self._kill_group()
        limit = self._loop.time() + REAP_SECONDS
        cancelled = await _reached(self._emptied, limit)
        if self._transport is not None:
            self._transport.close()
        cancelled = await _reached(self._closed, limit) or cancelled
        if cancelled is not None:
            raise cancelled


async def _reached(event: asyncio.Event, limit: float) -> asyncio.CancelledError | None:
    """Wait for an event until `limit`, in the event loop's time, and return the last cancellation meanwhile."""
    cancelled = None
    while not event.is_set():
        try:
            async with asyncio.timeout_at(limit):
                await event.wait()
        except TimeoutError:
            break
        except asyncio.CancelledError as error:
            cancelled = error
    return cancelled
