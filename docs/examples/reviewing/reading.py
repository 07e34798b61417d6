"""What is in each file: it is read once, counted under its suffix, and its lines are checked."""

from __future__ import annotations

from itertools import count
from typing import Final

from ditto_core import DittoError

from .checks import findings_at_end, findings_in_lines
from .commands import Commands, for_each
from .grep import matches
from .listing import reason, shown
from .progress import tell
from .report import Report

REPLACEMENT: Final = "\ufffd"


class Reading:
    """Reads files with ``cat``; what is longer than a command's output is counted with ``wc`` and ``tail``."""

    def __init__(self, commands: Commands, report: Report) -> None:
        self._commands = commands
        self._report = report
        self._texts: list[str] = []

    async def run(self, paths: list[str]) -> list[str]:
        """Read all files and return the paths of those that are text, sorted."""
        numbers = count(1)

        async def read(path: str) -> None:
            tell(f"reading {next(numbers)} of {len(paths)} files")
            try:
                problem = await self._read(path)
            except DittoError as error:
                problem = reason(error)
            if problem:
                self._report.unread.append((shown(path), problem))

        await for_each(paths, read)
        return sorted(self._texts)

    async def _read(self, path: str) -> str:
        """Read a file and return what of it could not be read, or an empty text."""
        answer = await self._commands.ask("cat", path=path)
        if answer.exit_code:
            return answer.complaint
        if not await self._is_text(path, answer.output):
            return "it is no text"
        *lines, rest = answer.output.split("\n")
        if answer.cut:
            counted = await self._commands.ask("wc", path=path)
            last = await self._commands.ask("tail", path=path, lines=1)
            if counted.exit_code or last.exit_code:
                return counted.complaint or last.complaint
            ended = last.cut or last.output.endswith("\n")
            total = int(counted.output.split()[0]) + (not ended)
            problem = f"what comes after its first {len(lines)} lines was not checked"
        else:
            lines += [rest] if rest else []
            total, ended, problem = len(lines), not rest, ""
        self._texts.append(path)
        self._report.count(path, total)
        self._report.findings += findings_in_lines(shown(path), lines)
        self._report.findings += findings_at_end(shown(path), total, ended=ended)
        return problem

    async def _is_text(self, path: str, output: str) -> bool:
        """Tell whether the file is text: a U+FFFD in the output may stand in it, or for bytes that are no text.

        ``grep`` knows: it takes no bad byte for the character, and prints no line with bad bytes.
        """
        if "\0" in output:
            return False
        if REPLACEMENT not in output:
            return True
        wanted = {number for number, line in enumerate(output.split("\n"), start=1) if REPLACEMENT in line}
        answer = await self._commands.ask("grep", pattern=REPLACEMENT, paths=[path], fixedStrings=True)
        return wanted <= {number for number, _ in matches(answer.output, [path])[path]}
