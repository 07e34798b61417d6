"""What a review found, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import attrs

from ditto_core import JsonObject

from .checks import Finding

MAX_ROWS: Final = 1_000
"""How many findings, and how many files that were not read, a report names."""


@attrs.define(kw_only=True)
class Report:
    """``suffixes`` are the rows of the tool ``count_lines``; ``notes`` say what the review did not look at."""

    folder: str
    files: int = 0
    lines: int = 0
    suffixes: list[dict[str, Any]] = attrs.field(factory=list)
    findings: list[Finding] = attrs.field(factory=list)
    unread: dict[str, str] = attrs.field(factory=dict)
    notes: list[str] = attrs.field(factory=list)

    def text(self) -> str:
        """Return the report for people."""
        return "\n".join(_escaped(line) for line in self._text())

    def _text(self) -> Iterator[str]:
        yield f"Review of {self.folder}"
        yield ""
        yield f"  {'suffix':<16} {'files':>7} {'lines':>9}"
        for row in self.suffixes:
            yield f"  {row['suffix'] or 'none':<16} {row['files']:>7} {row['lines']:>9}"
        yield f"  {'all text files':<16} {self.files:>7} {self.lines:>9}"
        yield ""
        yield f"Findings: {len(self.findings)}"
        for finding in self._first_findings():
            yield f"  {finding.path}{f':{finding.line}' if finding.line else ''}  {finding.what}"
        yield ""
        yield f"Not read: {len(self.unread)}"
        for path, why in self._first_unread():
            yield f"  {path}  {why}"
        yield ""
        yield "What was not looked at"
        for note in self.notes:
            yield f"  {note}"

    def records(self) -> Iterator[JsonObject]:
        """Give the report as JSON objects, the summary first."""
        yield {
            "kind": "summary",
            "folder": self.folder,
            "files": self.files,
            "lines": self.lines,
            "suffixes": [*self.suffixes],
            "findings": len(self.findings),
            "unread": len(self.unread),
            "notes": [*self.notes],
        }
        for finding in self._first_findings():
            yield {"kind": "finding", **attrs.asdict(finding)}
        for path, why in self._first_unread():
            yield {"kind": "unread", "path": path, "why": why}

    def _first_findings(self) -> list[Finding]:
        return sorted(self.findings, key=lambda finding: (finding.path, finding.line))[:MAX_ROWS]

    def _first_unread(self) -> list[tuple[str, str]]:
        return sorted(self.unread.items())[:MAX_ROWS]


def _escaped(line: str) -> str:
    r"""Keep a row one row: names of files may hold ``\n`` and ``\t``. The console sink escapes all other controls."""
    return line.replace("\n", r"\n").replace("\t", r"\t")
