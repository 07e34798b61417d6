"""What there are contracts for: each kind of plugin is a class here, and no other module has a list of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Final, Self

from .capabilities import Capabilities

KINDS: Final[dict[str, type[Subject]]] = {}
"""The kinds that there are, by the prefix of their checks' ids."""


class Subject(ABC):
    """A plugin with what its checks need to know; a subclass for each kind, beside its lab in :mod:`.labs`.

    The first check of a kind, such as TP-001, tells whether it is one at all and is given this object. All others
    are given its lab, or one tool of it.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """What a reader calls it, such as ``"tool pack"``."""
    prefix: ClassVar[str]
    """The letters before the numbers of its checks, such as ``"TP"``."""
    end_check: ClassVar[str] = ""
    """The check that finds whatever does not end, so that others only wait for it; none: each check finds it."""

    capabilities: Capabilities

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        KINDS[cls.prefix] = cls

    @abstractmethod
    def lab(self) -> Any:
        """Return where a check runs it: a context manager with ``loop``, and ``begin()``, called before each check.

        ``end()``, if it has one, is called after each.
        """

    def tools(self) -> Iterable[str]:
        """Return the names of what some checks look at one by one: the tools of a pack, else nothing."""
        return ()

    @classmethod
    def installed(cls, name: str, load: Callable[[], Any]) -> Iterator[tuple[str, Self]]:
        """Give what of this kind the installed plugin `name` offers, and a title for each; `load` makes the plugin."""
        yield from ()


def kind_of(id: str) -> str:
    """Return what a check is about, by its id; raises ``KeyError`` for a prefix that no kind has."""
    return KINDS[id.partition("-")[0]].kind
