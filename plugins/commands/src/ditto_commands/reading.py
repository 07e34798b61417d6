"""cat, head, tail, wc, sort, uniq and cut: what is in one regular file."""

from __future__ import annotations

from typing import ClassVar, Literal

import attrs

from . import rules
from .arguments import operand


@attrs.frozen(kw_only=True)
class _OneFile:
    """A program that reads one file: ``PROGRAM [options] -- path``."""

    reads_content: ClassVar[bool] = True

    path: str = rules.path("The file.")

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
class _Lines(_OneFile):
    lines: int = rules.number("How many lines.", default=20, least=1, most=rules.MAX_LINES)

    @property
    def options(self) -> tuple[str, ...]:
        """How many lines."""
        return ("-n", str(self.lines))


@attrs.frozen(kw_only=True)
class Head(_Lines):
    """``head -n lines -- path``."""

    program: ClassVar[str] = "head"
    description: ClassVar[str] = "Print the first lines of a file."


@attrs.frozen(kw_only=True)
class Tail(_Lines):
    """``tail -n lines -- path``."""

    program: ClassVar[str] = "tail"
    description: ClassVar[str] = "Print the last lines of a file."


@attrs.frozen(kw_only=True)
class Wc(_OneFile):
    """``wc -l|-w|-c -- path``."""

    program: ClassVar[str] = "wc"
    description: ClassVar[str] = "Count the lines, words or bytes of a file."

    metric: Literal["lines", "words", "bytes"] = attrs.field(
        default="lines", metadata={"description": "What to count."}
    )

    @property
    def options(self) -> tuple[str, ...]:
        """What is counted."""
        return ({"lines": "-l", "words": "-w", "bytes": "-c"}[self.metric],)


@attrs.frozen(kw_only=True)
class Sort(_OneFile):
    """``sort [-r] [-n] [-u] -- path``."""

    program: ClassVar[str] = "sort"
    description: ClassVar[str] = "Print the lines of a file in order."

    reverse: bool = rules.flag("Largest first.")
    numeric: bool = rules.flag("Order by the number that a line begins with.")
    unique: bool = rules.flag("Print equal lines once.")

    @property
    def options(self) -> tuple[str, ...]:
        """The order."""
        return (
            *(("-r",) if self.reverse else ()),
            *(("-n",) if self.numeric else ()),
            *(("-u",) if self.unique else ()),
        )


@attrs.frozen(kw_only=True)
class Uniq(_OneFile):
    """``uniq [-c] [-i] -- path``."""

    program: ClassVar[str] = "uniq"
    description: ClassVar[str] = "Print a file with each run of equal lines once."

    count: bool = rules.flag("Print how long each run is.")
    ignore_case: bool = rules.flag("Treat upper and lower case alike.", alias="ignoreCase")

    @property
    def options(self) -> tuple[str, ...]:
        """Counting and case."""
        return (*(("-c",) if self.count else ()), *(("-i",) if self.ignore_case else ()))


@attrs.frozen(kw_only=True)
class Cut(_OneFile):
    """``cut [-d delimiter] -f fields -- path``."""

    program: ClassVar[str] = "cut"
    description: ClassVar[str] = "Print chosen fields of each line of a file."

    fields: str = rules.text("Which fields, such as 1,3-5 or 2-.", pattern=rules.FIELDS)
    delimiter: str | None = rules.text(
        "The one character between fields, a tab unless given.", default=None, max_len=1
    )

    @property
    def options(self) -> tuple[str, ...]:
        """Delimiter and fields."""
        return (*(() if self.delimiter is None else ("-d", self.delimiter)), "-f", self.fields)
