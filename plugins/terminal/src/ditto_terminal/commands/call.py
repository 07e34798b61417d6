"""``ditto call``: one tool, once, through a real runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Allow, AsJson, ConfigFile, Plugins, Seconds, Workspace, Yes


def call(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The name of the tool.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[JSON | KEY=VALUE...]",
            help="One JSON object, - for one on standard input, or words such as path=README.md.",
            show_default=False,
        ),
    ] = None,
    *,
    plugins: Plugins = [],  # noqa: B006 - typer copies it
    config: ConfigFile = None,
    workspace: Workspace = Path(),
    allow: Allow = [],  # noqa: B006
    timeout: Seconds = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Call one tool once. Nothing is permitted unless you --allow it; a refusal says which option would.

    Example: ditto call grep pattern=tea paths='["src"]' -p commands --allow tools:grep --allow execute:grep
    Example: ditto call web_fetch '{"url": "https://acme.example/"}' -p acme --allow tools:web_fetch --json
    """
    if not plugins:
        raise typer.BadParameter("name the plugin of the tool, as in -p commands", param_hint="-p")
    from ..calling import Request, call_tool

    request = Request(
        plugins=tuple(plugins), config=config, workspace=workspace, allow=tuple(allow), timeout=timeout, yes=yes
    )
    raise typer.Exit(call_tool(tool, arguments or (), request, as_json=as_json))
