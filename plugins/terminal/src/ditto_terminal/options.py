"""The options that several commands share, so that they read alike everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Plugins: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--plugin",
        "-p",
        metavar="NAME[:KEY=VALUE]",
        help="Load this plugin, with this option if one is given; repeat it for more. "
        "VALUE is JSON or text; @NAME takes it from the environment.",
        show_default=False,
    ),
]
ConfigFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A ditto.yaml or .json with sections of plugins."),
]
Workspace: TypeAlias = Annotated[
    Path,
    typer.Option("--workspace", "-w", metavar="DIR", help="The folder that reading, writing and programs keep to."),
]
Allow: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--allow",
        metavar="PERMISSION",
        help="Permit tools:NAME, network:ORIGIN, mcp:SERVER, execute:PROGRAM, read or write; repeat it for more. "
        "Nothing is permitted unless it is said here.",
        show_default=False,
    ),
]
Seconds: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--timeout", min=0.001, metavar="SECONDS", help="Give the call up after so long.", show_default=False
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")]
Yes: TypeAlias = Annotated[
    bool, typer.Option("--yes", help="Approve what a tool wants approved, instead of being asked.")
]
