"""What the arguments of every command have in common."""

from __future__ import annotations

from typing import ClassVar, Protocol


class CommandArguments(Protocol):
    """The arguments of one command: they say what is run, and nothing but that is.

    Each is a frozen attrs class; its fields are the tool's arguments, `words` the argument vector behind the
    program's name, built by no other rule than the class's own lines.
    """

    program: ClassVar[str]
    description: ClassVar[str]
    reads_content: ClassVar[bool]
    """Whether the program opens its operands, so that a pipe or a device would hold it up."""

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of the program."""

    @property
    def operands(self) -> tuple[str, ...]:
        """The paths that the caller named."""

    @property
    def enters_folders(self) -> bool:
        """Whether a program that reads content takes folders too."""


def operand(path: str) -> str:
    """Return a path as an operand: a lone ``-`` would mean standard input."""
    return "./-" if path == "-" else path


def chosen(**flags: bool) -> tuple[str, ...]:
    """Return the options of one letter that are wanted, in the order given: ``chosen(r=True, i=False)``."""
    return tuple(f"-{letter}" for letter, wanted in flags.items() if wanted)
