"""The files of a workspace as all tools of the pack see them: one rule, the same limits, the same failures."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Final

import attrs

from ditto_core import FileRefused, Sandbox, ToolFailed, safe_message

SKIPPED = (
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "venv",
    ".nox",
    ".tox",
    "node_modules",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
)
"""Folders that hold what nobody wrote by hand: they are left out unless the application chooses others."""

MAX_LISTED_BYTES: Final = 524_288
"""How many bytes of UTF-8 the entries of one list have together: a number of names bounds nothing that is long."""


@attrs.frozen(kw_only=True)
class Listing:
    """The files of a folder, and which kinds of folders were met and left out."""

    names: list[str]
    left_out: list[str]


@attrs.frozen(kw_only=True)
class Unread:
    """A file that could not be read as text; ``code`` says why, as a failed read of this one file would."""

    path: str
    code: str


@attrs.frozen(kw_only=True)
class Files:
    """How the pack reads: bytes of one file, entries of a folder and below, and names of folders to leave out."""

    max_bytes: int
    max_entries: int
    skip: frozenset[str]

    async def listing(self, sandbox: Sandbox, path: str) -> Listing:
        """Return the names of the files in a folder and below; raises :class:`ToolFailed` for what is no folder."""
        try:
            names = await sandbox.list_files(path, max_entries=self.max_entries)
        except FileRefused as refusal:
            raise failed(refusal) from None
        # Only what lies below the path is judged, so that a folder that is named itself can be looked into.
        depth = len(sandbox.resolve(path).relative_to(sandbox.workspace).parts)
        kept: list[str] = []
        left_out: set[str] = set()
        for name in names:
            found = self.skip.intersection(name.split("/")[depth:-1])
            left_out |= found
            if not found:
                kept.append(name)
        return Listing(names=kept, left_out=sorted(left_out))

    async def text(self, sandbox: Sandbox, path: str) -> str:
        """Return the text of a file; raises :class:`ToolFailed` with the code of the failure."""
        try:
            return await sandbox.read_text(path, max_bytes=self.max_bytes)
        except FileRefused as refusal:
            raise failed(refusal) from None

    async def text_if_readable(self, sandbox: Sandbox, path: str, unread: list[Unread]) -> str | None:
        """Return the text of one file among many; one that cannot be read is noted, so that none is lost silently."""
        try:
            return await self.text(sandbox, path)
        except ToolFailed as failure:
            unread.append(Unread(path=path, code=failure.error.code))
            return None


def failed(refusal: FileRefused) -> ToolFailed:
    """Return the failure that a caller sees; a message that could give something away is replaced."""
    return ToolFailed(f"FILE_{refusal.reason.upper()}", safe_message(str(refusal), "The file cannot be used."))


def lines_of(text: str) -> list[str]:
    r"""Return the lines with their ends. Only ``\n`` ends one, as in editors and grep; ``splitlines`` knows others."""
    return list(io.StringIO(text, newline="\n"))


def within_bytes(entries: Iterable[str]) -> int:
    """Return how many of the entries, from the first one on, fit into :data:`MAX_LISTED_BYTES`."""
    count, left = 0, MAX_LISTED_BYTES
    for entry in entries:
        left -= len(entry.encode())
        if left < 0:
            break
        count += 1
    return count
