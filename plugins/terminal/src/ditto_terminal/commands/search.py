"""``ditto search``: one search of one provider."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Allow, AsJson, ConfigFile, Plugins, Seconds


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to search for.")],
    *,
    provider: Annotated[str, typer.Option("--provider", metavar="NAME", help="The search provider to ask.")],
    plugins: Plugins = [],  # noqa: B006 - typer copies it
    config: ConfigFile = None,
    allow: Allow = [],  # noqa: B006
    limit: Annotated[int, typer.Option("--limit", min=1, max=20, metavar="N", help="How many hits at most.")] = 5,
    timeout: Seconds = None,
    as_json: AsJson = False,
) -> None:
    """Search with the provider of that name; it is also the plugin that is loaded, unless -p names others.

    Example: ditto search "tea ceremony" --provider local_search -p local_search:folder=docs
    Example: ditto search tea --provider brave -p brave:api_key=@BRAVE_KEY --allow network:https://api.search.brave.com
    """
    from ..calling import Request, search_with

    request = Request(
        plugins=tuple(plugins) or (provider,), config=config, workspace=Path(), allow=tuple(allow), timeout=timeout
    )
    raise typer.Exit(search_with(provider, query, limit, request, as_json=as_json))
