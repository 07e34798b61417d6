"""The review itself: every look at the workspace is a call of a tool, and every result is observed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any, Final

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    DittoError,
    JsonValue,
    Observation,
    ObserveInput,
    Runtime,
    ToolCall,
    ToolInput,
)

from .checks import SEARCHES, Finding, Search, findings_in
from .report import MAX_ROWS, Report

TASKS: Final = 8
BATCH: Final = 500
"""How many files one search looks into."""


class UnusableFolder(Exception):
    """The folder cannot even be listed."""


class Review:
    """One review of the workspace of a runtime's sandbox."""

    def __init__(self, runtime: Runtime, folder: str) -> None:
        self.report = Report(folder=folder)
        self._runtime = runtime
        self._ids = count(1)
        self._secrets: set[tuple[str, int]] = set()

    async def run(self) -> Report:
        """Return the report; raises :class:`UnusableFolder`."""
        _tell("listing the files")
        listing = await self._observe("list_files")
        if listing.error:
            raise UnusableFolder(listing.error.message)
        found: Any = listing.structured_content
        await self._count()
        names: list[str] = found["files"]
        for start in range(0, len(names), BATCH):
            _tell(f"searching after {start} of {len(names)} files")
            for search in SEARCHES:
                await self._search(search, names[start : start + BATCH])
        await self._read_all(names)
        self._note(found)
        return self.report

    async def _observe(self, tool: str, **arguments: JsonValue) -> Observation:
        call = ToolCall(id=f"review-{next(self._ids)}", name=tool, arguments=arguments)
        result = await self._runtime.invoke(ACT_TOOL, ToolInput(call=call))
        return await self._runtime.invoke(OBSERVE, ObserveInput(result=result))

    async def _count(self) -> None:
        observation = await self._observe("count_lines")
        counted: Any = observation.structured_content
        if observation.error:
            self.report.notes.append(f"Lines could not be counted: {observation.error.message}")
            return
        self.report.files = counted["files"]
        self.report.lines = counted["lines"]
        self.report.suffixes = counted["suffixes"]

    async def _search(self, search: Search, names: list[str]) -> None:
        observation = await self._observe(
            "search_text", pattern=search.pattern, regex=True, paths=[*names], max_matches=MAX_ROWS
        )
        found: Any = observation.structured_content
        if observation.error:
            self.report.notes.append(f"Not looked for in some files: {search.what} ({observation.error.message})")
            return
        for match in found["matches"]:
            path, line = match["path"], match["line"]
            if search.is_secret:
                self._secrets.add((path, line))
            shown = "" if (path, line) in self._secrets else f": {match['text'].strip()}"
            self.report.findings.append(Finding(path=path, line=line, what=search.what + shown))
        if found["truncated"]:
            self.report.notes.append(f"There may be more of this than is shown: {search.what}.")

    async def _read_all(self, names: list[str]) -> None:
        """Read the files, a few at a time: each task takes the next name, so no text waits in memory for its turn."""
        waiting = iter(enumerate(names, start=1))

        async def read_some(waiting: Iterator[tuple[int, str]]) -> None:
            for number, name in waiting:
                _tell(f"reading {number} of {len(names)} files")
                await self._read(name)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(TASKS):
                tasks.create_task(read_some(waiting))
        _tell("")

    async def _read(self, name: str) -> None:
        try:
            observation = await self._observe("read_text", path=name)
        except DittoError as error:
            self.report.unread[name] = type(error).__name__
            return
        if observation.error:
            self.report.unread[name] = observation.error.code
        elif isinstance(observation.message.content, str):
            self.report.findings += findings_in(name, observation.message.content)

    def _note(self, found: dict[str, Any]) -> None:
        notes = self.report.notes
        left_out = ", ".join(found["left_out"])
        notes.append(f"Folders by name, wherever they are: {left_out or 'none was met'}.")
        notes.append("Links, and what is no regular file: they are neither followed nor listed.")
        if found["truncated"]:
            notes.append(f"Files beyond the first {len(found['files'])} of {found['total']}, by name.")
        if max(len(self.report.findings), len(self.report.unread)) > MAX_ROWS:
            notes.append(f"Rows beyond the first {MAX_ROWS} of a kind, in this report.")


def _tell(progress: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{progress:<40}\r")
        sys.stderr.flush()
