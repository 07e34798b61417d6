"""The plugin: what the application chooses, and the tools that come of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar

import attrs
from attrs.validators import deep_iterable, ge, instance_of

from ditto_core import Tool, hookimpl

from .counting import count_lines_tool
from .files import SKIPPED, Files
from .listing import list_files_tool
from .reading import read_text_tool
from .searching import search_text_tool

_limit = [instance_of(int), ge(1)]
_names = instance_of((tuple, list, set, frozenset))  # a string would be taken for its letters


@attrs.frozen(kw_only=True, eq=False)
class AcmePack:
    """Read-only tools for the text files of a workspace: ``list_files read_text search_text count_lines``.

    They use the sandbox of the call and need its ``read``. All limits are upper bounds of one call; what a limit cut
    off is said in the result.

    - ``max_file_bytes``: a larger file is not read, which is a failure.
    - ``max_entries``: what a folder and everything below may hold, files, folders and links; more is a failure.
    - ``max_files``: how many files ``list_files`` names, and ``search_text`` and ``count_lines`` read.
    - ``max_lines``: how many lines ``read_text`` gives.
    - ``max_matches``: how many matches ``search_text`` gives.
    - ``skip``: names of folders that are left out wherever they are met below the path of a call.
    """

    api_version: ClassVar[int] = 1

    max_file_bytes: int = attrs.field(default=1_048_576, validator=_limit)
    max_entries: int = attrs.field(default=200_000, validator=_limit)
    max_files: int = attrs.field(default=10_000, validator=_limit)
    max_lines: int = attrs.field(default=2_000, validator=_limit)
    max_matches: int = attrs.field(default=1_000, validator=_limit)
    skip: Collection[str] = attrs.field(default=SKIPPED, validator=deep_iterable(instance_of(str), _names))

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tools."""
        files = Files(max_bytes=self.max_file_bytes, max_entries=self.max_entries, skip=frozenset(self.skip))
        yield list_files_tool(files, self.max_files)
        yield read_text_tool(files, self.max_lines)
        yield search_text_tool(files, self.max_files, self.max_matches)
        yield count_lines_tool(files, self.max_files)
