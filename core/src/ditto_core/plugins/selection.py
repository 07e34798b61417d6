"""Which parts of a plugin the application takes, in which wrappers and under which names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from ..errors import InvalidName, InvalidTool, InvalidValue, NotOffered
from ..text import describe, guess, quote
from ..tools.tool import Tool
from ..tools.wrappers.prefix import with_prefix
from .contributions import Contributions
from .origin import Origin
from .wording import listed, title

T = TypeVar("T")
Wrap: TypeAlias = Callable[[Tool[Any]], Tool[Any]]

_PREFIX: Final = re.compile(r"[A-Za-z0-9_-]{0,63}")


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Selection:
    """The application's choice among the parts of one plugin; `include` None takes all of them."""

    prefix: str
    include: frozenset[str] | None
    exclude: frozenset[str]
    wrap: Wrap | None

    @classmethod
    def of(cls, prefix: object, include: object, exclude: object, wrap: Wrap | None = None) -> Selection:
        """Return what the arguments of ``register`` say; raises :class:`InvalidValue` or :class:`InvalidName`."""
        if type(prefix) is not str:
            raise InvalidValue("prefix", f"must be a string, not {describe(prefix)}; give '' for none")
        if not _PREFIX.fullmatch(prefix):
            raise InvalidName(f"Prefix {quote(prefix)}: may hold up to 63 ASCII letters, digits, '_' and '-'.")
        chosen = None if include is None else _names("include", include)
        if chosen == frozenset():
            raise InvalidValue("include", "is empty, so nothing would be registered; leave it out to take everything")
        if wrap is not None and not callable(wrap):
            raise InvalidValue("wrap", f"must be a function from a tool to a tool, not {describe(wrap)}")
        return cls(prefix=prefix, include=chosen, exclude=_names("exclude", exclude), wrap=wrap)

    def apply(self, given: Contributions, origin: Origin) -> Contributions:
        """Return what was chosen, tools wrapped and under their new names.

        Raises :class:`NotOffered`, :class:`InvalidName` or :class:`InvalidTool`, and what ``wrap`` raises.
        """
        offered = given.tools.keys() | given.sinks.keys() | given.providers.keys()
        for what, names in (("include", self.include or frozenset()), ("exclude", self.exclude)):
            for name in sorted(names - offered):
                raise NotOffered(
                    f"{title(origin)}: {what} names {quote(name)}, which the plugin does not offer."
                    f"{guess(name, offered)} It offers {listed(offered)} (names without prefix)."
                )
        return Contributions(
            tools=self._renamed(self._wrapped(self._chosen(given.tools), origin), origin),
            sinks=self._chosen(given.sinks),
            providers=self._chosen(given.providers),
        )

    def _chosen(self, parts: dict[str, T]) -> dict[str, T]:
        if self.include is None and not self.exclude:
            return parts
        chosen = parts.keys() if self.include is None else self.include
        return {name: part for name, part in parts.items() if name in chosen and name not in self.exclude}

    def _wrapped(self, tools: dict[str, Tool[Any]], origin: Origin) -> dict[str, Tool[Any]]:
        if self.wrap is None:
            return tools
        wrapped = {name: self.wrap(tool) for name, tool in tools.items()}
        for name, tool in wrapped.items():
            if not isinstance(tool, Tool) or tool.name != name:
                what = f"one named {quote(tool.name)}" if isinstance(tool, Tool) else describe(tool)
                raise InvalidTool(
                    f"{title(origin)}, tool {quote(name)}: wrap gave {what}. It has to give a tool of the same name; "
                    "rename with prefix='…'."
                )
        return wrapped

    def _renamed(self, tools: Mapping[str, Tool[Any]], origin: Origin) -> dict[str, Tool[Any]]:
        if not self.prefix:
            return dict(tools)
        try:
            renamed = [with_prefix(tool, self.prefix) for tool in tools.values()]
        except InvalidName as error:
            raise InvalidName(f"{title(origin)}, prefix {self.prefix!r}: {error}") from None
        return {tool.name: tool for tool in renamed}


def _names(field: str, names: object) -> frozenset[str]:
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise InvalidValue(field, f"must be a set of names such as {{'grep'}}, not {describe(names)}")
    found = tuple(names)
    for name in found:
        if type(name) is not str:
            raise InvalidValue(field, f"must hold names, not {describe(name)}")
    return frozenset(found)
