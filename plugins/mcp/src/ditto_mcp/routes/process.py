"""A server as a process: lines from its standard output, bytes to its standard input, and its end."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, cast

from .group import ServerGroup
from .lines import Line, LineSplitter

EXIT_SECONDS: Final = 2.0
"""How long a server may take to end when its standard input ends."""
TERM_SECONDS: Final = 2.0
"""How long it may take after SIGTERM; then it is killed."""
REAP_SECONDS: Final = 2.0
"""How long the end of a killed process is waited for; only one that is stuck in the kernel takes longer."""
LINGER_SECONDS: Final = 1.0
"""How long the output of a process that has ended is read on when another process holds it open."""
MAX_WAITING: Final = 1_048_576
"""How many bytes of lines may wait for the SDK before no more is read."""
LINE_BYTES: Final = 64
"""How many bytes a line counts beside what it holds: an empty one is kept, too."""


class ServerProcess(asyncio.SubprocessProtocol):
    """A started server. Call :meth:`end` when it is not needed any more, in any case."""

    def __init__(self, max_line_bytes: int, hang_up: asyncio.Event) -> None:
        """Keep lines of up to so many bytes, and set the event when there will be no more of them."""
        self._loop = asyncio.get_running_loop()
        self._splitter = LineSplitter(max_line_bytes)
        self._lines: deque[Line] = deque()
        self._waiting = 0
        self._hang_up = hang_up
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._exited = asyncio.Event()
        self._over = asyncio.Event()
        self._no_more = False
        self._is_ending = False
        self._transport: asyncio.SubprocessTransport | None = None
        self._group: ServerGroup | None = None
        self._linger: asyncio.TimerHandle | None = None

    @classmethod
    async def start(
        cls,
        words: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: str | None,
        stderr: int | None,
        max_line_bytes: int,
        hang_up: asyncio.Event,
    ) -> ServerProcess:
        """Start a program in a session of its own; raises what the system says."""
        process = cls(max_line_bytes, hang_up)
        await process._loop.subprocess_exec(
            lambda: process, *words, stderr=stderr, cwd=folder, env=dict(env), start_new_session=True
        )
        return process

    @property
    def exit_code(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        return None if self._transport is None else self._transport.get_returncode()

    # What the event loop tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport, and the group by its number."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        number = self._transport.get_pid()
        if number is not None:
            self._group = ServerGroup(number)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Cut the output into lines; stop reading while too many of them wait."""
        if self._is_ending:
            return
        for line in self._splitter.feed(data):
            self._lines.append(line)
            self._waiting += len(line.data) + LINE_BYTES
        if self._lines:
            self._news.set()
        if self._waiting > MAX_WAITING:
            self._reading_end().pause_reading()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Either pipe's end is the end of the conversation."""
        self._finish()

    def process_exited(self) -> None:
        """End what is left of the group, so that nobody holds the output open; then what lies in it is read."""
        self._exited.set()
        self._send(signal.SIGKILL)
        self._linger = self._loop.call_later(LINGER_SECONDS, self._finish)

    def connection_lost(self, exc: Exception | None) -> None:
        """Everything is closed, and the process is reaped."""
        self._over.set()

    def pause_writing(self) -> None:
        """The server does not read what it is sent."""
        self._room.clear()

    def resume_writing(self) -> None:
        """It reads on."""
        self._room.set()

    def _finish(self) -> None:
        self._no_more = True
        self._news.set()
        self._room.set()

    def _reading_end(self) -> asyncio.ReadTransport:
        assert self._transport is not None  # noqa: S101
        return cast("asyncio.ReadTransport", self._transport.get_pipe_transport(1))

    def _writing_end(self) -> asyncio.WriteTransport:
        assert self._transport is not None  # noqa: S101
        return cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))

    def _send(self, number: int) -> None:
        if self._group is not None:
            self._group.send(number)

    @property
    def is_lost(self) -> bool:
        """Whether the server has ended the conversation."""
        return self._no_more

    # What the connection asks

    async def line(self) -> Line | None:
        """Wait for the next line; None: there is no more."""
        while not self._lines:
            if self._no_more:
                self._hang_up.set()
                return None
            self._news.clear()
            await self._news.wait()
        line = self._lines.popleft()
        was_full, self._waiting = self._waiting > MAX_WAITING, self._waiting - len(line.data) - LINE_BYTES
        if was_full and self._waiting <= MAX_WAITING:
            self._reading_end().resume_reading()
        return line

    async def write(self, data: bytes) -> None:
        """Send bytes and wait until there is room for more; what a dead server would get is dropped."""
        if self._transport is None or self._no_more:
            return
        self._writing_end().write(data)
        await self._room.wait()

    async def end(self) -> None:
        """Close the standard input, wait, and end by force what has not ended by then; nothing is left open.

        Goes on to the end even if it is cancelled meanwhile, only faster; the cancellation then comes out.
        """
        assert self._transport is not None  # noqa: S101
        self._is_ending = True
        self._lines.clear()
        if self._waiting > MAX_WAITING:
            self._reading_end().resume_reading()
        self._writing_end().close()
        cancelled = None
        try:
            await self._end_in_peace()
        except asyncio.CancelledError as error:
            cancelled = error
        self._send(signal.SIGKILL)  # what is left of the group, too
        cancelled = await self._until(self._exited) or cancelled
        if self._writing_end().get_write_buffer_size():
            self._writing_end().abort()  # what is left of it nobody will read
        self._transport.close()
        cancelled = await self._until(self._over) or cancelled
        if self._linger is not None:
            self._linger.cancel()
        if self._group is not None and self._exited.is_set():
            self._group.close()
        if cancelled is not None:
            raise cancelled

    async def _end_in_peace(self) -> None:
        """Wait for the process to end by itself, and for a while after it was asked to."""
        for number, patience in ((None, EXIT_SECONDS), (signal.SIGTERM, TERM_SECONDS)):
            if number is not None:
                self._send(number)
            try:
                async with asyncio.timeout(patience):
                    await self._exited.wait()
            except TimeoutError:
                continue
            return

    async def _until(self, event: asyncio.Event) -> asyncio.CancelledError | None:
        """Wait for what a kill brings about, also while cancelled; return the cancellation."""
        cancelled = None
        limit = self._loop.time() + REAP_SECONDS
        while not event.is_set():
            try:
                async with asyncio.timeout_at(limit):
                    await event.wait()
            except TimeoutError:
                break
            except asyncio.CancelledError as error:
                cancelled = error
        return cancelled
