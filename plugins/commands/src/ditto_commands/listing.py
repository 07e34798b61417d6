"""ls, stat, file, du and pwd: what there is, without a look into it."""

from __future__ import annotations

from typing import Annotated, ClassVar

import attrs

from .arguments import chosen, operand
from .rules import Depth, RelativePath


class _NotRead:
    """A program that opens none of its operands."""

    reads_content: ClassVar[bool] = False
    enters_folders: ClassVar[bool] = False


@attrs.frozen(kw_only=True)
class Ls(_NotRead):
    """``ls -1 [-a] -- path``."""

    program: ClassVar[str] = "ls"
    description: ClassVar[str] = "List the entries of a folder, one a line."

    path: Annotated[RelativePath, "The folder."] = "."
    all: Annotated[bool, "Include names that begin with a dot."] = False

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of ls."""
        return ("-1", *chosen(a=self.all), "--", operand(self.path))

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)


@attrs.frozen(kw_only=True)
class _OnePath(_NotRead):
    """A program that is given one path and nothing else: ``PROGRAM -- path``."""

    path: Annotated[RelativePath, "The file or folder."]

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


@attrs.frozen(kw_only=True)
class File(_OnePath):
    """``file -- path``; it opens regular files only."""

    program: ClassVar[str] = "file"
    description: ClassVar[str] = "Say what kind of data a file holds."


@attrs.frozen(kw_only=True)
class Du(_NotRead):
    """``du -k --max-depth=N -- path``."""

    program: ClassVar[str] = "du"
    description: ClassVar[str] = "Print how much disk space a folder and the folders in it take, in KiB."

    path: Annotated[RelativePath, "The folder."]
    max_depth: Annotated[Depth, "How many folders deep to print."] = attrs.field(default=1, alias="maxDepth")

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of du."""
        return ("-k", f"--max-depth={self.max_depth}", "--", operand(self.path))

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)


@attrs.frozen(kw_only=True)
class Pwd(_NotRead):
    """``pwd``."""

    program: ClassVar[str] = "pwd"
    description: ClassVar[str] = "Print the folder of the workspace."

    words: ClassVar[tuple[str, ...]] = ()
    operands: ClassVar[tuple[str, ...]] = ()
