"""Which files there are: every folder is listed by itself, so none is entered that is to be left out."""

from __future__ import annotations

from typing import Final

from ditto_core import DittoError, InvalidArguments

from .commands import Commands, for_each
from .progress import tell
from .report import Report

SKIPPED: Final = frozenset(
    {
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
    }
)
"""Folders that hold what nobody wrote by hand."""
MAX_FOLDERS: Final = 5_000
MAX_FILES: Final = 5_000


class UnusableFolder(Exception):
    """The folder cannot even be listed."""


class Listing:
    """The files of the workspace, found by one ``find`` for the folders and one for the files of each folder."""

    def __init__(self, commands: Commands, report: Report) -> None:
        self._commands = commands
        self._report = report
        self._folders = 0
        self._names = 0
        self._unknown = 0
        self._next: list[str] = []
        self._files: list[str] = []
        self._left_out: set[str] = set()

    async def run(self) -> list[str]:
        """Return the paths of the files, each as a command takes it; raises :class:`UnusableFolder`."""
        complaint = await self._list(".")
        if complaint and not self._names:
            raise UnusableFolder(complaint)
        while self._next and self._folders < MAX_FOLDERS:
            here = sorted(self._next)[: MAX_FOLDERS - self._folders]
            self._next = sorted(self._next)[len(here) :]
            await for_each(here, self._list_below)
        self._note()
        return sorted(self._files)[:MAX_FILES]

    async def _list_below(self, path: str) -> None:
        try:
            await self._list(path)
        except DittoError as error:
            self._leave(path, reason(error))

    async def _list(self, path: str) -> str:
        """Note what is in a folder; return what ``find`` complains about, which is nothing as a rule."""
        self._folders += 1
        tell(f"listing folder {self._folders}")
        complaints = []
        for kind, found in (("directory", self._next), ("file", self._files)):
            answer = await self._commands.ask("find", path=path, type=kind, maxDepth=1)
            if answer.exit_code:
                complaints.append(answer.complaint)
            elif answer.cut:
                complaints.append(f"it has more than is listed at once ({kind})")
            for name in names_below(path, answer.output, cut=answer.cut):
                self._take(name, kind, found)
        if complaints:
            self._leave(path, complaints[0])
        return "".join(complaints[:1])

    def _take(self, name: str, kind: str, found: list[str]) -> None:
        """Keep a name that a command can be given, unless it is to be left out, and report every other one."""
        self._names += 1
        if kind == "directory" and name.rpartition("/")[2] in SKIPPED:
            self._left_out.add(name.rpartition("/")[2])
        elif "\n" in name or "\ufffd" in name:
            why = "its name has a line end" if "\n" in name else "its name has bytes that are no text, or U+FFFD"
            if kind == "directory":
                self._leave(name, why)
            else:
                self._report.unread.append((shown(name), why))
        else:
            found.append(name)

    def _leave(self, path: str, why: str) -> None:
        self._unknown += 1
        self._report.unread.append((f"{shown(path)}/", why))

    def _note(self) -> None:
        notes = self._report.notes
        notes.append(f"Folders by name, wherever they are: {', '.join(sorted(self._left_out)) or 'none was met'}.")
        notes.append("Links, and what is no regular file: they are neither followed nor listed.")
        if self._unknown:
            notes.append(f"Folders that could not be listed, or not wholly, and what is in them: {self._unknown}.")
        if self._next:
            notes.append(f"Folders beyond the first {self._folders}, and all below them: {len(self._next)} at least.")
        if len(self._files) > MAX_FILES:
            notes.append(f"Files beyond the first {MAX_FILES} of {len(self._files)}, by name.")


def names_below(path: str, output: str, *, cut: bool) -> list[str]:
    """Return what one ``find`` of a folder printed, each name once, even one with line ends.

    No name has a slash in it, so a line that does not begin with the folder goes on with the name before. What was
    cut may have cut the last name, too.
    """
    names: list[str] = []
    for line in output.split("\n")[:-1]:
        if line.startswith(f"{path}/"):
            names.append(line)
        elif names:
            names[-1] += f"\n{line}"
    return names[:-1] if cut else names


def shown(path: str) -> str:
    """Return a path as people write it: the commands are given ``./-x``, which cannot be taken for an option."""
    return path.removeprefix("./")


def reason(error: DittoError) -> str:
    """Return why a command did not run to its end."""
    if isinstance(error, InvalidArguments):
        return "no command takes its name"
    return type(error).__name__
