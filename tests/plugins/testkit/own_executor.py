"""An executor written on its own, of asyncio's subprocesses: it keeps every rule, and each option breaks one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

import attrs

from ditto_core import Command, CommandResult, CommandTimeout, CommandUnavailable, PermissionDenied
from ditto_local.output import BoundedOutput


@attrs.define(kw_only=True, eq=False)
class OwnExecutor:
    """Runs this Python. Where `group` does not name an ending, only the process itself is killed then."""

    timeout: float
    local: bool = True
    stdin: int | None = asyncio.subprocess.DEVNULL
    env: dict[str, str] = attrs.field(factory=lambda: {"PATH": "/usr/bin:/bin"})
    group: frozenset[str] = frozenset({"end", "deadline", "cancellation"})
    hoards: int = 0
    """How many bytes are kept in memory beyond the limits before a command is stopped."""
    late_limit: bool = True
    """Whether a CommandTimeout keeps to the limits."""
    late_output: bool = True
    """Whether a CommandTimeout has the output so far."""

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        if command.program != sys.executable:
            raise PermissionDenied("The executor does not run this program.")
        outs = BoundedOutput(command.max_stdout, command.max_lines), BoundedOutput(command.max_stderr)
        raw = bytearray()
        process = await self._started(command, workspace)
        how = "cancellation"
        try:
            async with asyncio.timeout(self.timeout):
                readers = (process.stdout, process.stderr)
                await asyncio.gather(
                    *(self._read(process, one, out, raw) for one, out in zip(readers, outs, strict=True))
                )
                await process.wait()
            how = "end"
        except TimeoutError:
            how = "deadline"
        finally:
            await self._end(process, how)
        return self._result(process, outs, raw, how)

    async def _started(self, command: Command, workspace: Path) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                command.program,
                *command.args,
                stdin=self.stdin,
                stdout=pipe,
                stderr=pipe,
                cwd=workspace,
                env=self.env,
                start_new_session=True,
            )
        except OSError:
            raise CommandUnavailable("The command could not be started.") from None

    async def _read(self, process: Any, stream: Any, out: BoundedOutput, raw: bytearray) -> None:
        while data := await stream.read(65_536):
            out.feed(data)
            raw += data if self.hoards or not self.late_limit else b""
            if out.exhausted and len(raw) >= self.hoards:
                process.kill()
                return

    async def _end(self, process: asyncio.subprocess.Process, how: str) -> None:
        with contextlib.suppress(ProcessLookupError):
            if how in self.group:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        for stream in (process.stdout, process.stderr):  # asyncio waits for the end of a pipe, too
            while stream and await stream.read(65_536):
                pass
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]
        for _ in range(3):  # the pipes are closed by the event loop
            await asyncio.sleep(0)

    def _result(
        self, process: asyncio.subprocess.Process, outs: tuple[BoundedOutput, BoundedOutput], raw: bytearray, how: str
    ) -> CommandResult:
        (out, out_cut), (err, err_cut) = (one.text() for one in outs)
        stopped = any(one.exhausted for one in outs)
        if how == "deadline" and not stopped:
            text = out if self.late_limit else raw.decode()
            raise CommandTimeout("The command is too slow.", stdout=text if self.late_output else "", stderr=err)
        return CommandResult(
            stdout=out,
            stderr=err,
            exit_code=None if stopped else process.returncode,
            stdout_bytes=outs[0].seen,
            stderr_bytes=outs[1].seen,
            truncated=out_cut or err_cut or stopped,
            stopped=stopped,
        )
