"""cat, head, tail, wc, sort, uniq and cut: what is in one regular file."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import attrs

from ditto_core import UNSET, Unset

from .arguments import chosen, operand
from .rules import Character, Fields, Lines, RelativePath


@attrs.frozen(kw_only=True)
class _OneFile:
    """A program that reads one file: ``PROGRAM [options] -- path``."""

    reads_content: ClassVar[bool] = True
    enters_folders: ClassVar[bool] = False

    path: Annotated[RelativePath, "The file."]

    @property
    def options(self) -> tuple[str, ...]:
        """What comes before the operand."""
        return ()

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of the program."""
        return (*self.options, "--", operand(self.path))

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)


@attrs.frozen(kw_only=True)
class Cat(_OneFile):
    """``cat -- path``."""

    program: ClassVar[str] = "cat"
    description: ClassVar[str] = "Print a file."


@attrs.frozen(kw_only=True)
class _SomeLines(_OneFile):
    lines: Annotated[Lines, "How many lines."] = 20

    @property
    def options(self) -> tuple[str, ...]:
        """How many lines."""
        return ("-n", str(self.lines))


@attrs.frozen(kw_only=True)
class Head(_SomeLines):
    """``head -n lines -- path``."""

    program: ClassVar[str] = "head"
    description: ClassVar[str] = "Print the first lines of a file."


@attrs.frozen(kw_only=True)
class Tail(_SomeLines):
    """``tail -n lines -- path``."""

    program: ClassVar[str] = "tail"
    description: ClassVar[str] = "Print the last lines of a file."


@attrs.frozen(kw_only=True)
class Wc(_OneFile):
    """``wc -l|-w|-c -- path``."""

    program: ClassVar[str] = "wc"
    description: ClassVar[str] = "Count the lines, words or bytes of a file."

    metric: Annotated[Literal["lines", "words", "bytes"], "What to count."] = "lines"

    @property
    def options(self) -> tuple[str, ...]:
        """What is counted."""
        return ({"lines": "-l", "words": "-w", "bytes": "-c"}[self.metric],)


@attrs.frozen(kw_only=True)
class Sort(_OneFile):
    """``sort [-r] [-n] [-u] -- path``."""

    program: ClassVar[str] = "sort"
    description: ClassVar[str] = "Print the lines of a file in order."

    reverse: Annotated[bool, "Largest first."] = False
    numeric: Annotated[bool, "Order by the number that a line begins with."] = False
    unique: Annotated[bool, "Print equal lines once."] = False

    @property
    def options(self) -> tuple[str, ...]:
        """The order."""
        return chosen(r=self.reverse, n=self.numeric, u=self.unique)


@attrs.frozen(kw_only=True)
class Uniq(_OneFile):
    """``uniq [-c] [-i] -- path``."""

    program: ClassVar[str] = "uniq"
    description: ClassVar[str] = "Print a file with each run of equal lines once."

    count: Annotated[bool, "Print how long each run is."] = False
    ignore_case: Annotated[bool, "Treat upper and lower case alike."] = attrs.field(default=False, alias="ignoreCase")

    @property
    def options(self) -> tuple[str, ...]:
        """Counting and case."""
        return chosen(c=self.count, i=self.ignore_case)


@attrs.frozen(kw_only=True)
class Cut(_OneFile):
    """``cut [-d delimiter] -f fields -- path``."""

    program: ClassVar[str] = "cut"
    description: ClassVar[str] = "Print chosen fields of each line of a file."

    fields: Annotated[Fields, "Which fields, such as 1,3-5 or 2-."]
    delimiter: Annotated[Character | Unset, "The one character between fields, a tab unless given."] = UNSET

    @property
    def options(self) -> tuple[str, ...]:
        """Delimiter and fields."""
        delimiter = () if self.delimiter is UNSET else ("-d", self.delimiter)
        return (*delimiter, "-f", self.fields)
