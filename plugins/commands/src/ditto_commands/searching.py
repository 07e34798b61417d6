"""grep and find."""

from __future__ import annotations

from typing import ClassVar, Literal

import attrs

from . import rules
from .arguments import operand


@attrs.frozen(kw_only=True)
class Grep:
    """``grep -n [-r] [-i] [-F] -- pattern paths…``; recursion never follows links."""

    program: ClassVar[str] = "grep"
    description: ClassVar[str] = (
        "Print the lines of files that match a basic regular expression, with line numbers. No match is a failure "
        "with exit code 1."
    )
    reads_content: ClassVar[bool] = True

    pattern: str = rules.text("What to look for.")
    paths: tuple[str, ...] = rules.paths("The files, or with recursive the folders, to look in.")
    recursive: bool = rules.flag("Look into all files of the folders.")
    ignore_case: bool = rules.flag("Treat upper and lower case alike.", alias="ignoreCase")
    fixed_strings: bool = rules.flag("Take the pattern as plain text.", alias="fixedStrings")

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of grep."""
        flags = (
            *(("-r",) if self.recursive else ()),
            *(("-i",) if self.ignore_case else ()),
            *(("-F",) if self.fixed_strings else ()),
        )
        return ("-n", *flags, "--", self.pattern, *map(operand, self.paths))

    @property
    def operands(self) -> tuple[str, ...]:
        """The paths."""
        return self.paths


@attrs.frozen(kw_only=True)
class Find:
    """``find ./path -maxdepth N [-type T] [-name P] -print``; find takes no ``--``, so its path begins with ``./``."""

    program: ClassVar[str] = "find"
    description: ClassVar[str] = "List the files and folders below a folder."
    reads_content: ClassVar[bool] = False

    path: str = rules.path("Where to begin.", default=".")
    name: str | None = rules.text("A shell pattern that the name has to match, such as *.py.", default=None)
    type: Literal["file", "directory"] | None = attrs.field(
        default=None, metadata={"description": "Only files or only folders."}
    )
    max_depth: int = rules.number(
        "How many folders deep.", default=8, least=0, most=rules.MAX_DEPTH, alias="maxDepth"
    )

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of find."""
        start = self.path if self.path == "." or self.path.startswith("./") else f"./{self.path}"
        kind = () if self.type is None else ("-type", "f" if self.type == "file" else "d")
        name = () if self.name is None else ("-name", self.name)
        return (start, "-maxdepth", str(self.max_depth), *kind, *name, "-print")

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)
