"""Sinks or search providers by name, each beside the plugin that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from ..errors import DuplicateName, NotOffered
from ..text import guess, quote
from .origin import Origin
from .wording import listed, title

T = TypeVar("T")


class Shelf(Generic[T]):
    """One kind of things that plugins offer; `kind` names it in messages."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._things: dict[str, T] = {}
        self._origins: dict[str, Origin] = {}
        self.view: Mapping[str, T] = MappingProxyType(self._things)
        """What there is at the moment; changes with the shelf and cannot be written to."""

    def get(self, name: str) -> T:
        """Return the thing of that name; raises :class:`NotOffered`."""
        thing = self._things.get(name) if type(name) is str else None
        if thing is None:
            near = guess(name, self._things) if type(name) is str else ""
            raise NotOffered(
                f"{self._kind.capitalize()} {quote(name)}: no registered plugin offers it.{near} "
                f"There is {listed(self._things)}; register a plugin that offers it, or choose one of these."
            )
        return thing

    def origin(self, name: str) -> Origin | None:
        """Return the plugin that the thing of that name comes from, or None when there is no such thing."""
        return self._origins.get(name)

    def check_free(self, names: Iterable[str], origin: Origin) -> None:
        """Raise :class:`DuplicateName` when one of the names is taken."""
        for name in names:
            if name in self._things:
                raise DuplicateName(
                    f"{title(origin)}: {self._kind} {quote(name)} is already offered by {self._origins[name]}. "
                    f"Register one of them with exclude={{{quote(name)}}}."
                )

    def add(self, things: Mapping[str, T], origin: Origin) -> None:
        """Add things whose names are free."""
        self._things.update(things)
        self._origins.update(dict.fromkeys(things, origin))

    def remove(self, names: Iterable[str]) -> None:
        """Take out what was added under these names."""
        for name in names:
            del self._things[name]
            del self._origins[name]
