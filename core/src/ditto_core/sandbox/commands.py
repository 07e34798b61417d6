"""The port through which commands run: what is asked, what comes back, what an executor owes.

The core has no executor of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

import attrs

from ..callables import is_async
from ..contracts.checks import check_text
from ..errors import InvalidValue
from ..text import describe

MAX_COMMAND_BYTES: Final = 131_072
"""How long program and arguments may be together, in UTF-8 bytes with one more for each: what Linux takes as a
single argument (``MAX_ARG_STRLEN``) and less than any system takes as a whole."""
MAX_OUTPUT_BYTES: Final = 16_777_216
"""The most that may be asked to be kept of each of the two outputs, in bytes."""
MAX_OUTPUT_LINES: Final = 1_000_000
"""The most lines of standard output that may be asked to be kept."""

_OUTPUTS: Final = frozenset(("stdout", "stderr"))


@attrs.frozen
class Command:
    """One program with its arguments, as they are: no shell, no expansion. It carries its own limits.

    ``max_stdout`` and ``max_stderr`` are bytes (1 to 16 MiB) and ``max_lines`` (1 to 1,000,000, None for no limit)
    counts lines of standard output. Raises :class:`InvalidValue`.
    """

    program: str
    args: tuple[str, ...] = ()
    max_stdout: int = attrs.field(default=65_536, kw_only=True)
    max_stderr: int = attrs.field(default=8_192, kw_only=True)
    max_lines: int | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        _check_word(self.program, "Command.program")
        if not self.program.strip():
            raise InvalidValue("Command.program", "must not be blank")
        if type(self.args) is not tuple:
            raise InvalidValue("Command.args", f"must be a tuple of strings, not {describe(self.args)}")
        for index, argument in enumerate(self.args):
            _check_word(argument, f"Command.args[{index}]")
        if sum(len(word.encode()) + 1 for word in (self.program, *self.args)) > MAX_COMMAND_BYTES:
            raise InvalidValue("Command", f"is longer than {MAX_COMMAND_BYTES} bytes; split it into several commands")
        _check_limit(self.max_stdout, MAX_OUTPUT_BYTES, "Command.max_stdout")
        _check_limit(self.max_stderr, MAX_OUTPUT_BYTES, "Command.max_stderr")
        if self.max_lines is not None:
            _check_limit(self.max_lines, MAX_OUTPUT_LINES, "Command.max_lines")


@attrs.frozen(kw_only=True)
class CommandResult:
    """What became of one command that began.

    ``stdout`` and ``stderr`` are what was kept, decoded as UTF-8 with U+FFFD for bad bytes and cut at character
    boundaries; ``stdout_bytes`` and ``stderr_bytes`` are the sizes seen, before anything was cut. ``truncated`` says
    that something was cut. ``stopped`` says that the executor ended the command because of its output; only then
    is there no exit status (``exit_code`` is None). ``cut`` names the outputs that ``truncated`` is about, "stdout",
    "stderr" or both: the sizes do not tell, because U+FFFD is longer than a bad byte. It is empty where nothing was
    cut, and where the executor does not say of which output. Raises :class:`InvalidValue`.
    """

    stdout: str
    stderr: str
    exit_code: int | None
    stdout_bytes: int
    stderr_bytes: int
    truncated: bool
    stopped: bool
    cut: frozenset[str] = frozenset()

    def __attrs_post_init__(self) -> None:
        check_text(self.stdout, "CommandResult.stdout")
        check_text(self.stderr, "CommandResult.stderr")
        _check_size(self.stdout_bytes, "CommandResult.stdout_bytes")
        _check_size(self.stderr_bytes, "CommandResult.stderr_bytes")
        _check_bool(self.truncated, "CommandResult.truncated")
        _check_bool(self.stopped, "CommandResult.stopped")
        if self.exit_code is not None and type(self.exit_code) is not int:
            problem = f"must be an integer or None, not {describe(self.exit_code)}"
            raise InvalidValue("CommandResult.exit_code", problem)
        if self.stopped != (self.exit_code is None):
            raise InvalidValue("CommandResult.exit_code", "must be None exactly when the command was stopped")
        if self.stopped and not self.truncated:
            raise InvalidValue("CommandResult.truncated", "must be True when the command was stopped")
        if type(self.cut) is not frozenset:
            raise InvalidValue("CommandResult.cut", f"must be a frozenset, not {describe(self.cut)}")
        if not self.cut <= _OUTPUTS:
            raise InvalidValue("CommandResult.cut", "must hold nothing but 'stdout' and 'stderr'")
        if self.cut and not self.truncated:
            raise InvalidValue("CommandResult.truncated", "must be True when an output was cut")


class CommandExecutor(Protocol):
    """Runs commands for a sandbox; an application injects one with ``Sandbox(execute=True, executor=…)``.

    Who fills this port owes the following; nothing around it does it instead.

    - One call is one process: no retry, no shell, the arguments as they are, standard input empty. Calls may overlap.
    - The environment is the executor's own choice; nothing is inherited from the application's.
    - It offers a fixed choice of programs and raises :class:`PermissionDenied` for any other. A program that cannot
      be started raises :class:`CommandUnavailable`, with no path of the host in the message; it is never a result.
    - Memory is bounded while the command runs: no more than ``max_stdout`` and ``max_stderr`` bytes and ``max_lines``
      lines are kept, both outputs are read as they come, and a command that goes on printing is stopped.
    - It has a deadline of its own and raises :class:`CommandTimeout` with the bounded output so far.
    - Cancelled by task cancellation: it ends the command and lets the ``CancelledError`` through.
    - However a call ends, the process and what it started in its group have ended and are reaped; no task, thread or
      descriptor is left.
    """

    @property
    def local(self) -> bool:
        """Whether the workspace is a folder of this machine's file system, the one that the sandbox's paths mean."""

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        """Run the command once, in the folder `workspace`."""


def check_executor(executor: object) -> None:
    """Raise :class:`InvalidValue` unless `executor` is shaped like a :class:`CommandExecutor`."""
    if isinstance(executor, type):
        raise InvalidValue("Sandbox.executor", "is a class; give an instance of it")
    if not callable(getattr(executor, "run", None)) or type(getattr(executor, "local", None)) is not bool:
        raise InvalidValue(
            "Sandbox.executor", f"must be a CommandExecutor (run and a bool `local`), not {describe(executor)}"
        )
    if not is_async(executor.run):  # type: ignore[attr-defined] # seen above
        raise InvalidValue("Sandbox.executor", f"has a run() that is not async: {describe(executor)}")


def _check_word(value: object, field: str) -> None:
    check_text(value, field)
    if "\0" in value:  # type: ignore[operator]
        raise InvalidValue(field, "holds a NUL character, which no argument can")


def _check_limit(value: object, most: int, field: str) -> None:
    if type(value) is not int:
        raise InvalidValue(field, f"must be an integer, not {describe(value)}")
    if not 1 <= value <= most:
        raise InvalidValue(field, f"must be from 1 to {most}")


def _check_size(value: object, field: str) -> None:
    if type(value) is not int:
        raise InvalidValue(field, f"must be an integer, not {describe(value)}")
    if value < 0:
        raise InvalidValue(field, "must not be negative")


def _check_bool(value: object, field: str) -> None:
    if type(value) is not bool:
        raise InvalidValue(field, f"must be True or False, not {describe(value)}")
