"""The executor that runs commands on this machine, as the user who runs the application."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import ClassVar

import attrs

from ditto_core import Command, CommandResult, CommandTimeout, CommandUnavailable, PermissionDenied, quote

from .options import environment, program_names, seconds
from .output import BoundedOutput
from .process import CommandProcess


@attrs.frozen(eq=False, repr=False)
class LocalExecutor:
    """Runs the programs that it was given a list of, each as a process in a session of its own.

    - ``commands``: the names that may run, exactly as a command asks for them: bare names, looked up in ``PATH`` at
      each run, or absolute paths.
    - ``timeout``: seconds for one command, 5 by default.
    - ``env``: more variables, or other values, for ``PATH=/usr/bin:/bin``, ``LC_ALL=C.UTF-8`` and ``TZ=UTC``, which
      are all that a command finds; entries of ``PATH`` are absolute.

    There is no shell, standard input is empty, and nothing of the application's environment is passed on. It
    isolates nothing: a program reaches what the user of the application may reach.

    Raises :class:`InvalidValue` for options that would have to be converted or could not work. So does a name or a
    value with a lone surrogate, also one that stands for a byte, as in ``os.environ`` and ``os.fsdecode``: texts are
    UTF-8.
    """

    local: ClassVar[bool] = True

    commands: frozenset[str] = attrs.field(converter=program_names)
    timeout: float = attrs.field(default=5.0, kw_only=True, converter=seconds)
    _env: dict[str, str] = attrs.field(default=None, kw_only=True, converter=environment)

    def __repr__(self) -> str:
        """Show what may run and for how long, and nothing of the environment."""
        return f"LocalExecutor({sorted(self.commands)}, timeout={self.timeout:g})"

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        """Run a command once in the folder `workspace` and return what became of it.

        Raises :class:`PermissionDenied` for a program that is not in the list, :class:`CommandUnavailable` for one
        that cannot be started or whose exit status the system would drop, and :class:`CommandTimeout` with the
        bounded output so far. When this returns or raises, the process is reaped, its group is killed and its pipes
        are closed; what left the group lives on, but holds nothing up.
        """
        name = quote(command.program)
        if command.program not in self.commands:
            raise PermissionDenied(
                f"Program {name} is not one that the executor may run. Add it: LocalExecutor([…, {name}]).",
                kind="execute",
                name=command.program,
            )
        if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
            raise CommandUnavailable(
                f"Command {name} was not started: this process ignores SIGCHLD, so the system drops the exit status. "
                "Set it back: signal.signal(signal.SIGCHLD, signal.SIG_DFL). Nothing has run."
            )
        stdout = BoundedOutput(command.max_stdout, command.max_lines)
        stderr = BoundedOutput(command.max_stderr)
        deadline = asyncio.get_running_loop().time() + self.timeout
        process = await self._started(command, str(workspace), stdout, stderr)
        late = False
        try:
            async with asyncio.timeout_at(deadline):
                await process.over.wait()
        except TimeoutError:
            late = not process.over.is_set()  # or it has ended at that very moment
        finally:
            await process.end()
        out, out_cut = stdout.text()
        err, err_cut = stderr.text()
        stopped = stdout.exhausted or stderr.exhausted
        if late and not stopped:
            raise CommandTimeout(
                f"Command {name} did not end within {self.timeout:g} s and was killed: what it has done until then "
                "stays done.",
                stdout=out,
                stderr=err,
            )
        return CommandResult(
            stdout=out,
            stderr=err,
            exit_code=None if stopped else process.exit_code,
            stdout_bytes=stdout.seen,
            stderr_bytes=stderr.seen,
            truncated=out_cut or err_cut or stopped,
            stopped=stopped,
            cut=frozenset(output for output, cut in (("stdout", out_cut), ("stderr", err_cut)) if cut),
        )

    async def _started(
        self, command: Command, folder: str, stdout: BoundedOutput, stderr: BoundedOutput
    ) -> CommandProcess:
        """Start the process; a cancellation in between waits until there is one to end."""
        words = (command.program, *command.args)
        starting = asyncio.ensure_future(
            CommandProcess.start(words, stdout=stdout, stderr=stderr, folder=folder, env=self._env)
        )
        try:
            return await asyncio.shield(starting)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else "an unknown reason"
            problem = f"the workspace cannot be entered: {reason}" if error.filename == folder else reason
        except asyncio.CancelledError:
            await _ended(starting)
            raise
        name = quote(command.program)
        raise CommandUnavailable(f"Command {name} could not be started: {problem}. Nothing has run.")


async def _ended(starting: asyncio.Future[CommandProcess]) -> None:
    """Wait for a process that nobody wants any more and end it, however often that is cancelled."""
    while not starting.done():
        try:
            await asyncio.wait([starting])
        except asyncio.CancelledError:
            continue
    if not starting.cancelled() and starting.exception() is None:
        await starting.result().end()
