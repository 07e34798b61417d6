"""One command as a process: its two outputs as they come, its end, and the end of its group.

The pipes are this module's own. asyncio's cannot let go of a pipe that a grandchild still holds, and stop reading one
that nobody empties. These are read as output comes; when the process has ended, what lies in them is taken and they
are closed, whoever else holds their other ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Mapping, Sequence
from typing import Final, cast

from .groups import CommandGroup
from .output import BoundedOutput

_READ_BYTES: Final = 262_144
_WIDE_BYTES: Final = 524_288
REAP_SECONDS: Final = 5.0
"""How long the end of a killed process is waited for; only one that is stuck in the kernel takes longer."""


class CommandProcess(asyncio.SubprocessProtocol):
    """A started command. Wait for :attr:`over`, then call :meth:`end`, however the wait went."""

    def __init__(self, outputs: Mapping[int, BoundedOutput]) -> None:
        """Read from each descriptor, the reading end of a pipe, into its output, and own it from now on."""
        self.over = asyncio.Event()
        """Set when the process has ended and its output has been read."""
        self._loop = asyncio.get_running_loop()
        self._outputs = dict(outputs)
        self._transport: asyncio.SubprocessTransport | None = None
        self._group: CommandGroup | None = None
        for descriptor in self._outputs:
            os.set_blocking(descriptor, False)
            self._loop.add_reader(descriptor, self._read, descriptor)

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
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            outputs: dict[int, BoundedOutput] = {}
            written: list[int] = []
            for output in (stdout, stderr):
                reading, writing = os.pipe()
                ours.callback(os.close, reading)
                theirs.callback(os.close, writing)
                outputs[reading] = output
                written.append(writing)
            process = cls(outputs)
            ours.pop_all()
            ours.callback(process.close)
            await asyncio.get_running_loop().subprocess_exec(
                lambda: process,
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=written[0],
                stderr=written[1],
                cwd=folder,
                env=dict(env),
                start_new_session=True,
            )
            ours.pop_all()
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
            self._group = CommandGroup(number)

    def process_exited(self) -> None:
        """End what is left of the group, and take what lies in the pipes: all that the process wrote is there."""
        self._kill_group()
        for descriptor in tuple(self._outputs):
            while self._read(descriptor):
                pass
        self.over.set()

    def _read(self, descriptor: int) -> bool:
        """Take what has come; end a command that goes on printing long after its cut. False: there is no more."""
        output = self._outputs.get(descriptor)
        if output is None:
            return False
        try:
            data = os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return False
        was_cut = output.cut
        output.feed(data)
        if output.cut and not was_cut:
            _widen(descriptor)
        if output.exhausted and self.exit_code is None:
            self._kill_group()
        if not data or output.exhausted:
            self._close(descriptor)
        return bool(data)

    def _close(self, descriptor: int) -> None:
        del self._outputs[descriptor]
        self._loop.remove_reader(descriptor)
        os.close(descriptor)

    def _kill_group(self) -> None:
        if self._group is not None:
            self._group.kill(ended=self.exit_code is not None)

    # What the executor asks

    def close(self) -> None:
        """Close the pipes, and what the group is held by."""
        for descriptor in tuple(self._outputs):
            self._close(descriptor)
        if self._group is not None:
            self._group.close()

    async def end(self) -> None:
        """Kill what still runs, wait until the process is reaped and its output read, and close everything.

        Goes on to the end even if it is cancelled meanwhile; the cancellation then comes out.
        """
        if self.exit_code is None:  # otherwise process_exited() does it, or has done it
            self._kill_group()
        cancelled: asyncio.CancelledError | None = None
        limit = self._loop.time() + REAP_SECONDS
        while not self.over.is_set():
            try:
                async with asyncio.timeout_at(limit):
                    await self.over.wait()
            except TimeoutError:
                break
            except asyncio.CancelledError as error:
                cancelled = error
        self.close()
        if self._transport is not None:
            self._transport.close()
        if cancelled is not None:
            raise cancelled


def _widen(pipe: int) -> None:
    """Let a pipe hold more, so that what is only dropped comes in fewer turns; where that cannot be, it need not."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):  # Linux
        with contextlib.suppress(OSError):  # a user may have no more of such pipes
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _WIDE_BYTES)
