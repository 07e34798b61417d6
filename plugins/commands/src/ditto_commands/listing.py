"""ls, stat, file, du and pwd: what there is, without a look into it."""

from __future__ import annotations

from typing import ClassVar

import attrs

from . import rules
from .arguments import operand


@attrs.frozen(kw_only=True)
class Ls:
    """``ls -1 [-a] -- path``."""

    program: ClassVar[str] = "ls"
    description: ClassVar[str] = "List the entries of a folder, one a line."
    reads_content: ClassVar[bool] = False

    path: str = rules.path("The folder.", default=".")
    all: bool = rules.flag("Include names that begin with a dot.")

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of ls."""
        return ("-1", *(("-a",) if self.all else ()), "--", operand(self.path))

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)


@attrs.frozen(kw_only=True)
class _OnePath:
    """A program that is given one path and nothing else: ``PROGRAM -- path``."""

    path: str = rules.path("The file or folder.")

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of the program."""
        return ("--", operand(self.path))

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)


@attrs.frozen(kw_only=True)
class Stat(_OnePath):
    """``stat -- path``."""

    program: ClassVar[str] = "stat"
    description: ClassVar[str] = "Print size, times, owner and permissions of a file or folder."
    reads_content: ClassVar[bool] = False


@attrs.frozen(kw_only=True)
class File(_OnePath):
    """``file -- path``; it does not open pipes and devices."""

    program: ClassVar[str] = "file"
    description: ClassVar[str] = "Say what kind of data a file holds."
    reads_content: ClassVar[bool] = False


@attrs.frozen(kw_only=True)
class Du:
    """``du -k --max-depth=N -- path``."""

    program: ClassVar[str] = "du"
    description: ClassVar[str] = "Print how much disk space a folder and the folders in it take, in KiB."
    reads_content: ClassVar[bool] = False

    path: str = rules.path("The folder.")
    max_depth: int = rules.number(
        "How many folders deep to print.", default=1, least=0, most=rules.MAX_DEPTH, alias="maxDepth"
    )

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of du."""
        return ("-k", f"--max-depth={self.max_depth}", "--", operand(self.path))

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)


@attrs.frozen(kw_only=True)
class Pwd:
    """``pwd``."""

    program: ClassVar[str] = "pwd"
    description: ClassVar[str] = "Print the folder of the workspace."
    reads_content: ClassVar[bool] = False

    words: ClassVar[tuple[str, ...]] = ()
    operands: ClassVar[tuple[str, ...]] = ()
