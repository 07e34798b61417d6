"""The tool ``search_text``."""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs
from attrs.validators import ge, le, max_len, min_len

from ditto_core import Sandbox, Tool, ToolContext, ToolFailed, tool

from .files import Files, Unread, lines_of, within_bytes
from .patterns import Pattern

MAX_TEXT = 300
"""How many characters of a line a match shows."""
MAX_UNREAD = 100
"""How many of the files that could not be read are named."""


def _described(text: str) -> dict[str, str]:
    return {"description": text}


@attrs.frozen(kw_only=True)
class SearchArguments:
    """What to search for, and where."""

    pattern: str = attrs.field(
        validator=[min_len(1), max_len(200)], metadata=_described("the text to search for, within one line")
    )
    regex: bool = attrs.field(
        default=False,
        metadata=_described("whether it is a regular expression; these have no groups, no {…} and no \\b"),
    )
    ignore_case: bool = False
    paths: tuple[str, ...] = attrs.field(
        default=(".",),
        validator=[min_len(1), max_len(1_000)],
        metadata=_described("files, and folders with everything below; the whole workspace by default"),
    )
    suffix: str = attrs.field(default="", metadata=_described("only files whose names end with this, such as '.py'"))
    max_matches: int = attrs.field(default=100, validator=[ge(1), le(10_000)])

    def __attrs_post_init__(self) -> None:
        self.matcher()

    def matcher(self) -> Callable[[str], object]:
        """Return the function that tells whether a line matches; raises ``ValueError`` for a pattern that is none."""
        if self.regex:
            return Pattern(self.pattern, ignore_case=self.ignore_case).found_in
        return re.compile(re.escape(self.pattern), re.IGNORECASE if self.ignore_case else re.NOFLAG).search


@attrs.frozen(kw_only=True)
class Match:
    """A line that matches: its number from 1 on, and its text without its end; ``cut`` says that text is missing."""

    path: str
    line: int
    text: str
    cut: bool


@attrs.frozen(kw_only=True)
class SearchResult:
    """``truncated`` says that the search ended at a limit, so that there may be more matches.

    512 KiB of paths and texts are a limit too.

    ``searched`` counts the files that were searched, ``unread_total`` those that could not be, of which ``unread``
    names the first. ``left_out`` are the names of folders that were met and not looked into.
    """

    matches: list[Match]
    truncated: bool
    searched: int
    unread: list[Unread]
    unread_total: int
    left_out: list[str]


def search_text_tool(files: Files, max_files: int, most: int) -> Tool[SearchArguments]:
    """Return the tool; it reads `max_files` files and gives `most` matches at the most."""

    @tool(effects={"read"}, narrower="a regular expression has to be one of this tool's")
    async def search_text(arguments: SearchArguments, context: ToolContext) -> SearchResult:
        """Find the lines of text files that hold a text, or match a regular expression."""
        unread: list[Unread] = []
        names, left_out = await _named(files, context.sandbox, arguments, unread)
        matches_in = arguments.matcher()
        limit = min(arguments.max_matches, most)
        matches: list[Match] = []
        searched = 0
        for path in names[:max_files]:
            text = await files.text_if_readable(context.sandbox, path, unread)
            if text is None:
                continue
            searched += 1
            matches += await context.in_thread(_found, path, text, matches_in, limit + 1 - len(matches))
            if len(matches) > limit:
                break
        if unread and not searched:
            raise ToolFailed(unread[0].code, f"None of the {len(unread)} files could be read.")
        shown = matches[: within_bytes(match.path + match.text for match in matches[:limit])]
        return SearchResult(
            matches=shown,
            truncated=len(matches) > len(shown) or len(names) > max_files,
            searched=searched,
            unread=unread[:MAX_UNREAD],
            unread_total=len(unread),
            left_out=left_out,
        )

    return search_text


async def _named(
    files: Files, sandbox: Sandbox, arguments: SearchArguments, unread: list[Unread]
) -> tuple[list[str], list[str]]:
    """Return the files that the arguments name, each once, and the kinds of folders that were left out."""
    names: list[str] = []
    left_out: set[str] = set()
    for path in arguments.paths:
        try:
            listing = await files.listing(sandbox, path)
        except ToolFailed as failure:
            if failure.error.code == "FILE_NOT_A_FOLDER":
                names.append(path)
            else:
                unread.append(Unread(path=path, code=failure.error.code))
        else:
            names += listing.names
            left_out.update(listing.left_out)
    return [name for name in dict.fromkeys(names) if name.endswith(arguments.suffix)], sorted(left_out)


def _found(path: str, text: str, matches_in: Callable[[str], object], most: int) -> list[Match]:
    """Return the first matches in one file; runs in a thread, so that a long file holds nobody up."""
    found = []
    for number, line in enumerate(lines_of(text), start=1):
        bare = line.removesuffix("\n").removesuffix("\r")
        if matches_in(bare):
            found.append(Match(path=path, line=number, text=bare[:MAX_TEXT], cut=len(bare) > MAX_TEXT))
            if len(found) == most:
                break
    return found
