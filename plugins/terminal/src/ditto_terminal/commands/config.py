"""``ditto config``: whether a configuration is right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Look at configurations.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Hold the commands together, also while there is one."""


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ditto.yaml or a .json.")] = Path("ditto.yaml"),
) -> None:
    """Check a configuration file and the DITTO_ variables; the sections are checked by the plugins they name.

    Example: ditto config check ditto.yaml
    """
    from ..configuring import check_file

    raise typer.Exit(check_file(file))
