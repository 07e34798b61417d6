"""``ditto new``: beginnings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Begin something new.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Hold the commands together, also while there is one."""


@app.command("pack")
def pack(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the distribution, such as acme-weather.")],
    *,
    folder: Annotated[
        Path | None,
        typer.Option("--in", metavar="DIR", help="Where to make its folder.", show_default="the current folder"),
    ] = None,
) -> None:
    """Make a tool pack: a whole distribution with one tool, its contract test, a README and a CI file.

    Example: ditto new pack acme-weather
    """
    from ..beginning import begin_pack

    begin_pack(name, folder or Path())
