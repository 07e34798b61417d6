"""The tool ``list_files``."""

from __future__ import annotations

from typing import Annotated, Any

import attrs
from attrs.validators import ge, le

from ditto_core import Tool, ToolContext, tool

from .files import Files, within_bytes


@attrs.frozen(kw_only=True)
class FileList:
    """``total`` counts all files that were asked for; ``files`` names the first of them, all unless ``truncated``.

    The limit cuts, and so do 512 KiB of names. ``left_out`` are the names of folders that were met and left out.
    """

    files: list[str]
    total: int
    truncated: bool
    left_out: list[str]


def list_files_tool(files: Files, max_files: int) -> Tool[Any]:
    """Return the tool; it names `max_files` files at the most."""

    @tool(effects={"read"})
    async def list_files(
        path: Annotated[str, "a folder of the workspace"] = ".",
        suffix: Annotated[str, "only files whose names end with this, such as '.py'"] = "",
        limit: Annotated[int, ge(1), le(max_files), "how many files to name"] = max_files,
        *,
        context: ToolContext,
    ) -> FileList:
        """List the files of a folder and of all folders below it, sorted, with their paths from the workspace on."""
        listing = await files.listing(context.sandbox, path)
        names = [name for name in listing.names if name.endswith(suffix)]
        named = names[: within_bytes(names[:limit])]
        return FileList(files=named, total=len(names), truncated=len(names) > len(named), left_out=listing.left_out)

    return list_files
