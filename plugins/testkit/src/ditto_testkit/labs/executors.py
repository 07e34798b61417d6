"""An executor at work, with Python as the program that it runs."""

from __future__ import annotations

import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import attrs

from ditto_core import Command, CommandExecutor, Sandbox

from ..capabilities import Capabilities
from ..subjects import Subject
from .blocked import Blocked
from .loop import Ended, Loop


@attrs.frozen(kw_only=True, eq=False)
class ExecutorSubject(Subject):
    """An executor with what its checks need to know.

    ``make(timeout)`` gives a new executor that may run ``program``, a Python of 3.11 or newer, and whose deadline is
    `timeout` seconds.
    """

    kind: ClassVar[str] = "executor"
    prefix: ClassVar[str] = "EX"

    make: Callable[[float], CommandExecutor]
    program: str = sys.executable
    capabilities: Capabilities = attrs.field(factory=Capabilities)

    def lab(self) -> ExecutorLab:
        """Return where a check runs it."""
        return ExecutorLab(self)


class ExecutorLab:
    """One executor in one event loop, with a workspace."""

    def __init__(self, subject: ExecutorSubject) -> None:
        self.subject = subject
        self.capabilities = subject.capabilities

    def __enter__(self) -> Self:
        self.loop = Loop(self.capabilities.call_timeout)
        self.workspace = Path(tempfile.mkdtemp(prefix="ditto-testkit-"))
        return self

    def begin(self) -> None:
        """Begin a check with an empty workspace; raises :class:`Blocked` for what no sandbox takes as an executor."""
        self.forget(*(path.name for path in self.workspace.iterdir()))
        try:
            Sandbox(self.workspace, execute=True, executor=self.executor())
        except Exception as error:
            raise Blocked("EX-001", f"{type(error).__name__}: {error}") from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.loop.__exit__(kind, error, trace)
        finally:
            shutil.rmtree(self.workspace, ignore_errors=True)

    def executor(self, timeout: float | None = None) -> CommandExecutor:
        """Return a new executor; without a timeout its deadline is as far off as a call may take."""
        return self.subject.make(self.capabilities.call_timeout if timeout is None else timeout)

    def token(self) -> str:
        """Return a word that no other command has, to be found among the words of processes."""
        return f"ditto-testkit-{secrets.token_hex(8)}"

    def has(self, name: str) -> bool:
        """Tell whether a file is in the workspace; where the executor is not local, none comes."""
        return Path(self.workspace, name).exists()

    def put(self, name: str) -> None:
        """Make an empty file in the workspace."""
        Path(self.workspace, name).touch()

    def forget(self, *names: str) -> None:
        """Remove files from the workspace."""
        for name in names:
            Path(self.workspace, name).unlink(missing_ok=True)

    def python(self, code: str, *args: str, **limits: Any) -> Command:
        """Return the command that runs `code` in Python, isolated from whatever is installed."""
        return Command(self.subject.program, ("-I", "-S", "-c", code, *args), **limits)

    def run(self, command: Command, executor: CommandExecutor | None = None) -> Ended:
        """Run a command and return how that ended."""
        chosen = self.executor() if executor is None else executor
        return self.loop.ended(_run(chosen, command, self.workspace))


async def _run(executor: CommandExecutor, command: Command, workspace: Path) -> Any:
    return await executor.run(command, workspace=workspace)
