"""The executor that runs commands on this machine, as the user who runs the application."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from ditto_core import Command, CommandResult, CommandTimeout, CommandUnavailable, InvalidValue, PermissionDenied

from .output import BoundedOutput
from .process import CommandProcess

ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
"""What a command finds in its environment; nothing is inherited."""
MAX_TIMEOUT: Final = 2_147_483.647
"""The longest deadline, in seconds: 2^31 - 1 milliseconds."""


class LocalExecutor:
    """Runs the programs that it was given a list of, each as a process in a session of its own.

    - ``commands``: the names that may run, exactly as a command asks for them: bare names, looked up in ``PATH`` at
      each run, or absolute paths.
    - ``timeout``: seconds for one command, 5 by default.
    - ``env``: more variables, or other values for those of :data:`ENVIRONMENT`; entries of ``PATH`` are absolute.

    There is no shell, standard input is empty, and nothing of the application's environment is passed on. It
    isolates nothing: a program reaches what the user of the application may reach.

    Raises :class:`InvalidValue` for options that would have to be converted or could not work.
    """

    local = True

    def __init__(self, commands: Iterable[str], *, timeout: float = 5.0, env: Mapping[str, str] | None = None) -> None:
        self.commands = _commands(commands)
        self.timeout = _timeout(timeout)
        self._env = {**ENVIRONMENT, **_env(env or {})}

    def __repr__(self) -> str:
        return f"LocalExecutor({sorted(self.commands)}, timeout={self.timeout:g})"

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        """Run a command once in the folder `workspace` and return what became of it.

        Raises :class:`PermissionDenied` for a program that is not in the list, :class:`CommandUnavailable` for one
        that cannot be started, and :class:`CommandTimeout` with the bounded output so far. When this returns or
        raises, the process is reaped and its group is gone; what left the group lives on, but holds nothing up.
        """
        if command.program not in self.commands:
            raise PermissionDenied(
                f"Program {command.program!r} is not one that the executor may run. "
                f"Add it: LocalExecutor([…, {command.program!r}])."
            )
        stdout = BoundedOutput(command.max_stdout, command.max_lines)
        stderr = BoundedOutput(command.max_stderr)
        deadline = asyncio.get_running_loop().time() + self.timeout
        process = await self._started(command, workspace, stdout, stderr)
        late = False
        try:
            async with asyncio.timeout_at(deadline):
                await process.over
        except TimeoutError:
            late = True
        finally:
            await process.end()
        out, out_cut = stdout.text()
        err, err_cut = stderr.text()
        if late and not (stdout.exhausted or stderr.exhausted):
            raise CommandTimeout(
                f"Command {command.program!r} did not end within {self.timeout:g} s and was killed: what it has done "
                "until then stays done.",
                stdout=out,
                stderr=err,
            )
        stopped = stdout.exhausted or stderr.exhausted
        return CommandResult(
            stdout=out,
            stderr=err,
            exit_code=None if stopped else process.exit_code,
            stdout_bytes=stdout.seen,
            stderr_bytes=stderr.seen,
            truncated=out_cut or err_cut or stopped,
            stopped=stopped,
        )

    async def _started(
        self, command: Command, workspace: Path, stdout: BoundedOutput, stderr: BoundedOutput
    ) -> CommandProcess:
        """Start the process; a cancellation in between waits until there is one to end."""
        starting = asyncio.ensure_future(
            CommandProcess.start(
                (command.program, *command.args), stdout=stdout, stderr=stderr, folder=str(workspace), env=self._env
            )
        )
        try:
            return await asyncio.shield(starting)
        except OSError as error:
            problem = os.strerror(error.errno) if error.errno else "an unknown reason"
        except asyncio.CancelledError:
            await _ended(starting)
            raise
        raise CommandUnavailable(f"Command {command.program!r} could not be started: {problem}. Nothing has run.")


async def _ended(starting: asyncio.Future[CommandProcess]) -> None:
    """Wait for a process that nobody wants any more and end it, however often that is cancelled."""
    while not starting.done():
        try:
            await asyncio.wait([starting])
        except asyncio.CancelledError:
            continue
    if not starting.cancelled() and starting.exception() is None:
        await starting.result().end()


def _commands(commands: Iterable[str]) -> frozenset[str]:
    if isinstance(commands, str):
        raise InvalidValue("LocalExecutor.commands", f"must be a list of names such as [{commands!r}], not a string")
    names = list(commands)
    for name in names:
        if type(name) is not str or not name.strip() or "\0" in name:
            raise InvalidValue("LocalExecutor.commands", "must hold names of programs, such as 'cat'")
        if "/" in name and not Path(name).is_absolute():
            raise InvalidValue("LocalExecutor.commands", f"hold {name!r}; give a bare name or an absolute path")
    return frozenset(names)


def _timeout(timeout: object) -> float:
    if type(timeout) not in (int, float) or not 0 < timeout <= MAX_TIMEOUT:  # type: ignore[operator]
        raise InvalidValue("LocalExecutor.timeout", f"must be a number of seconds above 0, {MAX_TIMEOUT} at the most")
    return float(timeout)  # type: ignore[arg-type]


def _env(env: Mapping[str, str]) -> dict[str, str]:
    variables = dict(env)
    for name, value in variables.items():
        if type(name) is not str or not name or "=" in name or "\0" in name:
            raise InvalidValue("LocalExecutor.env", "must have names that are not empty and hold no '=' and no NUL")
        if type(value) is not str or "\0" in value:
            raise InvalidValue("LocalExecutor.env", f"must have strings without NUL as values, also for {name!r}")
    for folder in variables.get("PATH", "/").split(":"):
        if not Path(folder).is_absolute():
            raise InvalidValue(
                "LocalExecutor.env", "has a PATH with an entry that is not absolute; give absolute ones"
            )
    return variables
