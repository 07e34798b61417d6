"""The pages of the documentation, as the tests read them: sections, tables, code, and what is between backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from tests.support.project import ROOT, files

DOCS = ROOT / "docs"

Row = tuple[str, ...]


@attrs.frozen
class Fence:
    """A fenced block: its info string, such as ``"python"`` or ``"{literalinclude} a.py"``, and its lines."""

    info: str
    lines: tuple[str, ...]


def names() -> list[str]:
    """Give the name of each page, such as ``"reference/tools.md"``."""
    found = (path.relative_to(DOCS).as_posix() for path in files(".md", below=DOCS))
    return [name for name in found if not name.startswith("examples/")]


def page(name: str) -> str:
    """Read a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """Give what stands below a heading, up to the next one of the same level or a higher one."""
    marks, _, _ = heading.partition(" ")
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(marks)}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"there is no heading {heading!r}"
    return found[1]


def rows(text: str, *header: str) -> list[Row]:
    """Give the rows of all tables with that header; there has to be one."""
    wanted = [row for head, row in _rows(text) if head == header]
    assert wanted, f"there is no table with the header {header}"
    return wanted


def _rows(text: str) -> Iterator[tuple[Row, Row]]:
    head: Row = ()
    for line in text.splitlines():
        if not line.startswith("|"):
            head = ()
            continue
        cells = tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        if not head:
            head = cells
        elif not re.fullmatch(r"[|:-]+", "".join(cells)):
            assert len(cells) == len(head), f"a row of the table {head} has {len(cells)} cells: {line}"
            yield head, cells


def list_table(text: str) -> list[Row]:
    """Give the rows of the one list table of a text, without its header; wrapped lines are joined."""
    (block,) = re.findall(r"^````\{list-table\}\n(.*?)^````$", text, re.MULTILINE | re.DOTALL)
    table: list[list[str]] = []
    for line in block.splitlines():
        if line.startswith("* - "):
            table.append([line[4:]])
        elif line.startswith("  - "):
            table[-1].append(line[4:])
        elif line.startswith("    "):
            table[-1][-1] += f" {line[4:]}"
    return [tuple(row) for row in table[1:]]


def spans(text: str) -> list[str]:
    """Give the content of each code span."""
    return [found[2] for found in re.finditer(r"(`+)(.+?)(?<!`)\1(?!`)", text)]


def span(text: str) -> str:
    """Give the content of the one code span."""
    (only,) = spans(text)
    return only


def fences(text: str) -> list[Fence]:
    """Give the fenced blocks, from the outside in."""
    found = []
    for block in re.finditer(r"^(`{3,})([^\n`]+)\n(.*?)^\1$", text, re.MULTILINE | re.DOTALL):
        found.append(Fence(block[2].strip(), tuple(block[3].splitlines())))
        found += fences(block[3])
    return found
