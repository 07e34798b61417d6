"""The tool ``count_lines``."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import Annotated, Any

import attrs

from ditto_core import Tool, ToolContext, tool

from .files import Files, Unread, lines_of

MAX_ROWS = 100
"""How many suffixes, and how many of the files that could not be read, are named."""


@attrs.frozen(kw_only=True)
class SuffixCount:
    """The files whose names end in ``suffix``, which is empty for names without one, and their lines."""

    suffix: str
    files: int
    lines: int


@attrs.frozen(kw_only=True)
class LineCount:
    """``suffixes`` has a row for each suffix, the one with the most lines first.

    ``truncated`` says that there are more files or more suffixes than the limits. ``files`` and ``lines`` count what
    was read, ``unread_total`` what could not be, of which ``unread`` names the first. ``left_out`` are the names of
    folders that were met and not looked into.
    """

    suffixes: list[SuffixCount]
    files: int
    lines: int
    truncated: bool
    unread: list[Unread]
    unread_total: int
    left_out: list[str]


def count_lines_tool(files: Files, max_files: int) -> Tool[Any]:
    """Return the tool; it reads `max_files` files at the most."""

    @tool(effects={"read"})
    async def count_lines(
        path: Annotated[str, "a folder of the workspace"] = ".", *, context: ToolContext
    ) -> LineCount:
        """Count the text files of a folder and of all folders below it, and their lines, by suffix."""
        listing = await files.listing(context.sandbox, path)
        unread: list[Unread] = []
        file_counts: Counter[str] = Counter()
        line_counts: Counter[str] = Counter()
        for name in listing.names[:max_files]:
            text = await files.text_if_readable(context.sandbox, name, unread)
            if text is not None:
                suffix = PurePosixPath(name).suffix
                file_counts[suffix] += 1
                line_counts[suffix] += len(lines_of(text))
        rows = [
            SuffixCount(suffix=suffix, files=file_counts[suffix], lines=lines)
            for suffix, lines in line_counts.most_common(MAX_ROWS)
        ]
        return LineCount(
            suffixes=rows,
            files=file_counts.total(),
            lines=line_counts.total(),
            truncated=len(listing.names) > max_files or len(line_counts) > MAX_ROWS,
            unread=unread[:MAX_ROWS],
            unread_total=len(unread),
            left_out=listing.left_out,
        )

    return count_lines
