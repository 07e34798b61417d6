"""What is written to standard output: text for people, lines for programs, and never a control character of others."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

_NOT_SHOWN: Final = re.compile(
    r"[^\S \n\t]|[\x00-\x08\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What moves a terminal's cursor, colours or direction, or is no text: all controls and blanks but three."""


def write(text: str) -> None:
    """Write a text and a line end; what the stream cannot encode is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def write_json(value: Any) -> None:
    """Write a JSON value on one line, in ASCII."""
    sys.stdout.write(json.dumps(value) + "\n")


def shown(text: str) -> str:
    """Return a foreign text with its line ends and tabs; every other control is written as an escape."""
    return _NOT_SHOWN.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def shown_on_one_line(text: str) -> str:
    """Return a foreign text on one line, in which nothing is a control."""
    return shown(text).replace("\n", "\\n").replace("\t", "\\t")


def write_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table: in columns for a terminal, with one tab between the cells and without heads for a program."""
    if not sys.stdout.isatty():
        for row in rows:
            write("\t".join(map(shown_on_one_line, row)))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(Text(shown_on_one_line(cell)) for cell in row))
    Console().print(table)
