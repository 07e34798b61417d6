"""grep and find."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import attrs

from ditto_core import UNSET, Unset

from .arguments import chosen, operand
from .rules import Depth, Line, RelativePath, RelativePaths


@attrs.frozen(kw_only=True)
class Grep:
    """``grep -n [-r] [-i] [-F] -- pattern paths…``; recursion never follows links."""

    program: ClassVar[str] = "grep"
    description: ClassVar[str] = (
        "Print the lines of files that match a basic regular expression, with line numbers. No match is a failure "
        "with exit code 1."
    )
    reads_content: ClassVar[bool] = True

    pattern: Annotated[Line, "What to look for."]
    paths: Annotated[RelativePaths, "The files, or with recursive the folders, to look in."]
    recursive: Annotated[bool, "Look into all files of the folders."] = False
    ignore_case: Annotated[bool, "Treat upper and lower case alike."] = attrs.field(default=False, alias="ignoreCase")
    fixed_strings: Annotated[bool, "Take the pattern as plain text."] = attrs.field(
        default=False, alias="fixedStrings"
    )

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of grep."""
        flags = chosen(n=True, r=self.recursive, i=self.ignore_case, F=self.fixed_strings)
        return (*flags, "--", self.pattern, *map(operand, self.paths))

    @property
    def operands(self) -> tuple[str, ...]:
        """The paths."""
        return self.paths

    @property
    def enters_folders(self) -> bool:
        """Whether it is recursive."""
        return self.recursive


@attrs.frozen(kw_only=True)
class Find:
    """``find ./path -maxdepth N [-type T] [-name P] -print``; find takes no ``--``, so its path begins with ``./``."""

    program: ClassVar[str] = "find"
    description: ClassVar[str] = "List the files and folders below a folder."
    reads_content: ClassVar[bool] = False
    enters_folders: ClassVar[bool] = False

    path: Annotated[RelativePath, "Where to begin."] = "."
    name: Annotated[Line | Unset, "A shell pattern that the name has to match, such as *.py."] = UNSET
    type: Annotated[Literal["file", "directory"] | Unset, "Only files or only folders."] = UNSET
    max_depth: Annotated[Depth, "How many folders deep."] = attrs.field(default=8, alias="maxDepth")

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments of find."""
        start = self.path if self.path == "." or self.path.startswith("./") else f"./{self.path}"
        kind = () if self.type is UNSET else ("-type", "f" if self.type == "file" else "d")
        name = () if self.name is UNSET else ("-name", self.name)
        return (start, "-maxdepth", str(self.max_depth), *kind, *name, "-print")

    @property
    def operands(self) -> tuple[str, ...]:
        """The path."""
        return (self.path,)
