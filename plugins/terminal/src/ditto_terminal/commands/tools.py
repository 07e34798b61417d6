"""``ditto tools``: what the tools of the named plugins are and want."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ..exits import Exit
from ..options import AsJson, ConfigFile, Plugins


class Format(StrEnum):
    """A form in which definitions are written for somebody else."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    MCP = "mcp"


def tools(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOOL]...", help="Only these, with their schemas.", show_default=False),
    ] = None,
    *,
    plugins: Plugins = [],  # noqa: B006 - typer copies it
    config: ConfigFile = None,
    as_json: AsJson = False,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="JSON as an API takes it; needs ditto-formats.", show_default=False),
    ] = None,
) -> None:
    """List the tools of the plugins that you name: effects, approval and description. None of them runs.

    Example: ditto tools -p commands
    Example: ditto tools grep -p commands --json
    """
    if not plugins:
        raise typer.BadParameter("name a plugin, as in -p commands; ditto plugins lists them", param_hint="-p")
    from ..listing import list_tools

    if list_tools(names or (), plugins, config, form=form or ("json" if as_json else None)):
        raise typer.Exit(Exit.REFUSED)
