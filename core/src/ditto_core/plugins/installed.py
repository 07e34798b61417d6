"""What installed distributions offer, read from their metadata. Nothing here imports a plugin.

``importlib.metadata`` is slow to import, so it is imported by whoever first asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

GROUP: Final = "ditto.plugins"
"""The entry-point group in which distributions offer plugins."""

_UNKNOWN: Final = "?"


@attrs.frozen(kw_only=True, order=True)
class InstalledPlugin:
    """A plugin that an installed distribution offers: ``value`` says where it is, as ``package.module:Class``.

    ``distribution`` and ``version`` are ``"?"`` where the distribution's metadata does not tell.
    """

    name: str
    distribution: str
    version: str
    value: str

    @property
    def module(self) -> str:
        """The module to import."""
        return self.value.partition("[")[0].partition(":")[0].strip()

    @property
    def attribute(self) -> str:
        """What to take from the module, a dotted name, or nothing for the module itself."""
        return self.value.partition("[")[0].partition(":")[2].strip()


def installed_plugins() -> tuple[InstalledPlugin, ...]:
    """Return the plugins that are installed, sorted by name. Reads metadata only and imports none of them."""
    from importlib.metadata import entry_points

    try:
        found: Iterable[EntryPoint] = entry_points(group=GROUP)
    except Exception:  # one distribution's file cannot be read; the others' plugins are there all the same
        found = _readable()
    return tuple(sorted({_plugin(entry) for entry in found}))


def _readable() -> Iterable[EntryPoint]:
    from importlib.metadata import distributions

    for distribution in distributions():
        try:
            yield from distribution.entry_points.select(group=GROUP)
        except Exception:  # noqa: S112 - what cannot be read offers nothing
            continue


def _plugin(entry: EntryPoint) -> InstalledPlugin:
    distribution, version = _identity(entry.dist)
    return InstalledPlugin(name=entry.name, distribution=distribution, version=version, value=entry.value)


def _identity(distribution: Distribution | None) -> tuple[str, str]:
    """Return the name and the version of a distribution."""
    try:
        metadata = None if distribution is None else distribution.metadata
    except Exception:  # the metadata cannot be read
        metadata = None
    if metadata is None:
        return _UNKNOWN, _UNKNOWN
    name, version = (metadata.get_all(field) or (_UNKNOWN,) for field in ("Name", "Version"))
    return str(name[0]), str(version[0])


def canonical(distribution: str) -> str:
    """Return the form in which names of distributions are compared: ``Acme_Pack`` is ``acme-pack``."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def provider_of(module: str) -> tuple[str, str] | None:
    """Return the name and the version of the distribution that a plugin's module belongs to, if that is known.

    The entry points of the group tell, those nearest to the module first; a module without one is taken to belong to
    the distribution that bears the name of its top package. Packages are never searched.
    """
    top = module.partition(".")[0]
    near: set[tuple[str, str]] = set()
    same_top: set[tuple[str, str]] = set()
    for plugin in installed_plugins():
        owner = (plugin.distribution, plugin.version)
        if f"{module}.".startswith(f"{plugin.module}."):
            near.add(owner)
        if plugin.module.partition(".")[0] == top:
            same_top.add(owner)
    found = near or same_top
    if found:
        return found.pop() if len(found) == 1 else None
    return _named_like(top)


def _named_like(package: str) -> tuple[str, str] | None:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return _identity(distribution(package))
    except (PackageNotFoundError, ValueError):
        return None
