"""What ``grep`` finds in the text files, many of them at once, and no secret is ever shown."""

from __future__ import annotations

from typing import Final

from ditto_core import DittoError

from .checks import SEARCHES, Finding, Search
from .commands import Answer, Commands, for_each
from .grep import batches, matches
from .listing import reason, shown
from .progress import tell
from .report import Report

MAX_MATCHES: Final = 20
"""How many lines of one file a search shows."""
MAX_SHOWN: Final = 300
"""How many characters of a line are shown."""


class Searching:
    """Searches text files for everything that :data:`SEARCHES` has, secrets first."""

    def __init__(self, commands: Commands, report: Report) -> None:
        self._commands = commands
        self._report = report
        self._done = 0
        self._secrets: set[tuple[str, int]] = set()
        self._hidden: set[str] = set()
        """Files that may have secrets which were not found: no line of them is shown."""

    async def run(self, paths: list[str]) -> None:
        """Search all files."""

        async def search_all(batch: list[str]) -> None:
            tell(f"searching after {self._done} of {len(paths)} files")
            for search in SEARCHES:
                await self._search(search, batch)
            self._done += len(batch)

        await for_each(batches(paths), search_all)

    async def _search(self, search: Search, paths: list[str]) -> None:
        """Search some files; if that does not go well, each half of them, so that a bad file is alone in the end."""
        try:
            answer = await self._commands.ask("grep", pattern=search.pattern, paths=[*paths])
        except DittoError as error:
            answer = Answer(output="", cut=False, exit_code=2, complaint=reason(error))
        went_well = answer.exit_code == 1 or (answer.exit_code == 0 and not answer.cut and not answer.complaint)
        if not went_well and len(paths) > 1:
            middle = len(paths) // 2
            await self._search(search, paths[:middle])
            await self._search(search, paths[middle:])
            return
        found = matches(answer.output, paths)
        for path in paths:
            self._take(search, path, found[path])
        if not went_well:
            problem = "there may be more" if answer.cut else answer.complaint
            self._leave(search, paths[0], problem)

    def _take(self, search: Search, path: str, lines: list[tuple[int, str]]) -> None:
        for line, text in lines[:MAX_MATCHES]:
            if search.is_secret:
                self._secrets.add((path, line))
            is_hidden = path in self._hidden or (path, line) in self._secrets
            what = search.what if is_hidden else f"{search.what}: {text.strip()[:MAX_SHOWN]}"
            self._report.findings.append(Finding(path=shown(path), line=line, what=what))
        if len(lines) > MAX_MATCHES:
            self._leave(search, path, f"{len(lines)} lines, of which {MAX_MATCHES} are shown")

    def _leave(self, search: Search, path: str, problem: str) -> None:
        if search.is_secret:
            self._hidden.add(path)
        self._report.unread.append((shown(path), f"{search.what}: {problem}"))
