"""What a review found, as text for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

import attrs

from ditto_core import JsonObject

from .checks import Finding

MAX_ROWS: Final = 1_000
"""How many findings, and how many rows of what was not read, a report shows."""


@attrs.define(kw_only=True)
class Report:
    """``unread`` has a row, path and reason, for each thing that was not read or not wholly; equal names are two.

    ``notes`` say what the review did not even try to look at.
    """

    folder: str
    file_counts: Counter[str] = attrs.field(factory=Counter)
    line_counts: Counter[str] = attrs.field(factory=Counter)
    findings: list[Finding] = attrs.field(factory=list)
    unread: list[tuple[str, str]] = attrs.field(factory=list)
    notes: list[str] = attrs.field(factory=list)

    def count(self, path: str, lines: int) -> None:
        """Count a text file, and its lines, under its suffix."""
        suffix = PurePosixPath(path).suffix
        self.file_counts[suffix] += 1
        self.line_counts[suffix] += lines

    def text(self) -> str:
        """Return the report for people."""
        return "\n".join(_escaped(line) for line in self._text())

    def _text(self) -> Iterator[str]:
        yield f"Review of {self.folder}"
        yield ""
        yield f"  {'suffix':<16} {'files':>7} {'lines':>9}"
        for suffix, files, lines in self._suffixes():
            yield f"  {suffix or 'none':<16} {files:>7} {lines:>9}"
        yield f"  {'all text files':<16} {self.file_counts.total():>7} {self.line_counts.total():>9}"
        yield ""
        yield f"Findings: {len(self.findings)}"
        for finding in self._first_findings():
            yield f"  {finding.path}{f':{finding.line}' if finding.line else ''}  {finding.what}"
        yield ""
        yield f"Not read, or not wholly: {len(self.unread)}"
        for path, why in self._first_unread():
            yield f"  {path}  {why}"
        yield ""
        yield "What was not looked at"
        for note in self._all_notes():
            yield f"  {note}"

    def records(self) -> Iterator[JsonObject]:
        """Give the report as JSON objects, the summary first."""
        yield {
            "kind": "summary",
            "folder": self.folder,
            "files": self.file_counts.total(),
            "lines": self.line_counts.total(),
            "suffixes": [
                {"suffix": suffix, "files": files, "lines": lines} for suffix, files, lines in self._suffixes()
            ],
            "findings": len(self.findings),
            "unread": len(self.unread),
            "notes": [*self._all_notes()],
        }
        for finding in self._first_findings():
            yield {"kind": "finding", **attrs.asdict(finding)}
        for path, why in self._first_unread():
            yield {"kind": "unread", "path": path, "why": why}

    def _suffixes(self) -> list[tuple[str, int, int]]:
        """Return suffix, files and lines, the one with the most lines first."""
        rows = [(suffix, files, self.line_counts[suffix]) for suffix, files in self.file_counts.items()]
        return sorted(rows, key=lambda row: (-row[2], row[0]))

    def _first_findings(self) -> list[Finding]:
        return sorted(self.findings, key=lambda finding: (finding.path, finding.line))[:MAX_ROWS]

    def _first_unread(self) -> list[tuple[str, str]]:
        return sorted(self.unread)[:MAX_ROWS]

    def _all_notes(self) -> Iterator[str]:
        yield from self.notes
        if max(len(self.findings), len(self.unread)) > MAX_ROWS:
            yield f"Rows beyond the first {MAX_ROWS} of a kind, in this report."


def _escaped(line: str) -> str:
    r"""Keep a row one row: names of files may hold ``\n`` and ``\t``. The console sink escapes all other controls."""
    return line.replace("\n", r"\n").replace("\t", r"\t")
