"""A pack whose tool runs a command with arguments of its caller's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

import attrs
from attrs.validators import ge, le, matches_re, max_len

from ditto_core import Command, JsonObject, Tool, ToolContext, ToolFailed, ToolOutcome, hookimpl, tool

MAX_BYTES = 16_384
PATH = r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*"
"""A relative path, each part of which begins with a letter or a digit, so that none is ``..`` or an option."""


@tool(effects={"read", "execute"})
async def commits(
    path: Annotated[str, matches_re(PATH), max_len(200), "a file or a folder of the repository"],
    count: Annotated[int, ge(1), le(100), "how many commits to name"] = 20,
    *,
    context: ToolContext,
) -> ToolOutcome:
    """Name the last commits that changed a file."""
    # What the caller writes stands behind the --, where nothing is an option any more. A number cannot be one.
    words = ("--no-pager", "log", f"--max-count={count}", "--format=%h %s", "--", path)
    result = await context.sandbox.run(Command("git", words, max_stdout=MAX_BYTES, max_stderr=1_000))
    if result.exit_code:  # and not result.stderr, which may tell anything: an error has words of your own
        raise ToolFailed("GIT_FAILED", f"git ended with status {result.exit_code}.")
    # The executor is the application's and may keep no limit, so that what it gives is cut once more.
    kept = result.stdout.encode()[:MAX_BYTES].decode(errors="ignore")
    about: JsonObject = {"truncated": result.truncated or kept != result.stdout}
    return ToolOutcome(content=kept, structured_content=about)


@attrs.frozen(eq=False)
class HistoryPack:
    """Looks into the history of a git repository."""

    api_version: ClassVar[int] = 1

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tool."""
        return [commits]
