"""``ditto check``: the door to the contract kit."""

from __future__ import annotations

from typing import Annotated

import typer


def check(
    context: typer.Context,
    pack: Annotated[str, typer.Argument(metavar="PACK", help="The name under which the plugin is installed.")],
) -> None:
    """Prove an installed plugin with the contract kit; further words go to it, such as --examples 50 or --json.

    Example: ditto check acme
    Example: ditto check acme --only TP-022
    """
    from ..checking import check_plugin

    raise typer.Exit(check_plugin([pack, *context.args]))
