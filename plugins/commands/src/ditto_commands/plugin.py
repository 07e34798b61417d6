"""The plugin: 14 tools under one set of limits."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final

import attrs
from attrs.validators import ge, le

from ditto_core import Tool, hookimpl

from .arguments import CommandArguments
from .limits import MAX_ENTRIES, MAX_ERROR_BYTES, MAX_OUTPUT_BYTES, Limits
from .listing import Du, File, Ls, Pwd, Stat
from .reading import Cat, Cut, Head, Sort, Tail, Uniq, Wc
from .searching import Find, Grep
from .tools import command_tool

COMMANDS: Final[tuple[type[CommandArguments], ...]] = (
    Grep,
    Ls,
    Cat,
    Find,
    Head,
    Tail,
    Wc,
    Sort,
    Uniq,
    Cut,
    Stat,
    File,
    Du,
    Pwd,
)


@attrs.frozen(kw_only=True, eq=False)
class CommandTools:
    """The read-only commands: grep, ls, cat, find, head, tail, wc, sort, uniq, cut, stat, file, du and pwd.

    Each call runs one program once through the sandbox, which has to permit the tool's name and ``execute`` and to
    have an executor; nothing else is needed and nothing is registered or started here.

    - ``max_entries``: lines of standard output, 1,000 by default, 10,000 at the most.
    - ``max_output_bytes``: bytes of standard output, 64 KiB by default, 1 MiB at the most.
    - ``max_error_bytes``: bytes of standard error, 8 KiB by default, 64 KiB at the most.

    What is over a limit is cut at a character boundary and the result says so. Raises :class:`InvalidValue`.
    """

    api_version: ClassVar[int] = 1
    name: ClassVar[str] = "commands"

    # The bounds are those of a configuration file and its schema; `Limits` checks what code gives.
    max_entries: Annotated[int, "lines of a command's standard output", ge(1), le(MAX_ENTRIES)] = 1_000
    max_output_bytes: Annotated[int, "bytes of it", ge(1), le(MAX_OUTPUT_BYTES)] = 65_536
    max_error_bytes: Annotated[int, "bytes of its standard error", ge(1), le(MAX_ERROR_BYTES)] = 8_192

    def __attrs_post_init__(self) -> None:
        self._limits()

    @hookimpl
    def ditto_tools(self) -> tuple[Tool[Any], ...]:
        """Offer the 14 tools."""
        limits = self._limits()
        return tuple(command_tool(kind, limits) for kind in COMMANDS)

    def _limits(self) -> Limits:
        return Limits(
            max_entries=self.max_entries,
            max_output_bytes=self.max_output_bytes,
            max_error_bytes=self.max_error_bytes,
        )
