"""What the review looks for: in each file by itself, and with searches over all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import attrs

MAX_LINES: Final = 400
MAX_LENGTH: Final = 120


@attrs.frozen(kw_only=True)
class Finding:
    """Something to look at: ``line`` is 0 when it is about the file as a whole."""

    path: str
    line: int = 0
    what: str


@attrs.frozen(kw_only=True)
class Search:
    """A pattern of the tool ``grep``; of a secret it is shown where it is, and never what it is."""

    what: str
    pattern: str
    is_secret: bool = False


# A letter of each word stands in brackets, so that a review does not find its own rules. Secrets come first, so that
# no later search shows a line with one.
SEARCHES: Final = (
    Search(
        what="what looks like a secret",
        pattern=r"""AKI[A][0-9A-Z]\|-----BEGI[N] [A-Z ]*PRIVATE KEY\|passwor[d] *[=:] *["'][^"'{}$<][^"'{}$<]*["']""",
        is_secret=True,
    ),
    Search(what="open mark", pattern=r"TOD[O]\|FIXM[E]\|HAC[K]"),
    Search(what="mark of a merge conflict", pattern=r"^<<<<<<<[ ]\|^>>>>>>>[ ]"),
)

LINES: Final[tuple[tuple[str, Callable[[str], object]], ...]] = (
    (f"longer than {MAX_LENGTH} characters", lambda line: len(line) > MAX_LENGTH),
    ("with blanks at the end", lambda line: line.endswith((" ", "\t"))),
    ("indented with both tabs and blanks", re.compile(r"\t+ +\t| +\t").match),
)


def findings_in_lines(path: str, lines: list[str]) -> Iterator[Finding]:
    """Give what can be said of single lines: one finding for each kind, not for each line."""
    for what, is_bad in LINES:
        bad = [number for number, line in enumerate(lines, start=1) if is_bad(line.removesuffix("\r"))]
        if bad:
            yield Finding(path=path, line=bad[0], what=f"{what}: {len(bad)} {'line' if len(bad) == 1 else 'lines'}")


def findings_at_end(path: str, count: int, *, ended: bool) -> Iterator[Finding]:
    """Give what the number of lines says, and whether the last of them is ended by a newline."""
    if not ended:
        yield Finding(path=path, line=count, what="no newline at the end")
    if count > MAX_LINES:
        yield Finding(path=path, what=f"{count} lines, more than {MAX_LINES}")
