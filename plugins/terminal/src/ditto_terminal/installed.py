"""What is installed, from metadata alone. The core is not imported: a list of names should not have to wait for it."""

from __future__ import annotations

from importlib.metadata import Distribution, EntryPoint, entry_points

from .printing import write_json, write_table

GROUP = "ditto.plugins"
"""The entry-point group of Ditto's plugins."""


def list_plugins(*, as_json: bool) -> None:
    """Write what ``ditto_core.installed_plugins`` knows, sorted by name."""
    rows = sorted({(point.name, *_owner(point), point.value) for point in entry_points(group=GROUP)})
    if as_json:
        keys = ("name", "distribution", "version", "value")
        write_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        write_table(("plugin", "distribution", "version", "where"), rows)


def _owner(point: EntryPoint) -> tuple[str, str]:
    distribution: Distribution | None = point.dist
    return ("?", "?") if distribution is None else (distribution.name, distribution.version)
