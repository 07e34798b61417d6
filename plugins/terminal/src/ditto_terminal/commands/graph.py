"""``ditto graph``: graphs as pictures."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Look at graphs.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Hold the commands together, also while there is one."""


@app.command("show")
def show(
    where: Annotated[str, typer.Argument(metavar="MODULE:GRAPH", help="The module, and the name of the graph in it.")],
) -> None:
    """Write a graph as a Mermaid flowchart. The module is imported, from the current folder first.

    Example: ditto graph show acme.flows:read_via_mcp
    """
    from ..showing import show_graph

    show_graph(where)
