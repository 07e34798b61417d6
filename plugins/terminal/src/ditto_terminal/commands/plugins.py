"""``ditto plugins``: what is installed. Metadata is read, nothing is imported."""

from __future__ import annotations

from ..options import AsJson


def plugins(*, as_json: AsJson = False) -> None:
    """List the installed plugins: name, distribution, version and where each is. None of them is imported.

    Example: ditto plugins
    """
    from ..installed import list_plugins

    list_plugins(as_json=as_json)
