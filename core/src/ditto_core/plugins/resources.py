"""Plugins that hold resources: entered in the order of registration, left in reverse, all of them."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Any, Final

from ..errors import PluginLoadFailed
from .origin import Origin
from .wording import reason, title

_NO_ERROR: Final = (None, None, None)


def holds_resources(plugin: object) -> bool:
    """Tell whether a plugin is an async context manager."""
    return hasattr(type(plugin), "__aenter__")


class Resources:
    """The plugins that are entered."""

    def __init__(self) -> None:
        self.open = False
        """Whether the host is entered."""
        self._entered: list[tuple[Origin, Any]] = []

    async def enter(self, plugins: Iterable[tuple[Origin, Any]]) -> None:
        """Enter the plugins; when one fails the entered ones are left, and :class:`PluginLoadFailed` names it."""
        if self.open:
            raise PluginLoadFailed("PluginHost: it is entered already. Leave it before it is entered again.")
        self.open = True
        try:
            for origin, plugin in plugins:
                await self._enter(origin, plugin)
        except BaseException as error:
            try:
                await self.leave(type(error), error, error.__traceback__)
            except Exception as left:  # what failed first is what matters
                error.add_note(f"Leaving the plugins that had been entered failed too: {reason(left)}.")
            raise

    async def _enter(self, origin: Origin, plugin: Any) -> None:
        try:
            await type(plugin).__aenter__(plugin)
        except Exception as error:
            raise PluginLoadFailed(
                f"{title(origin)}: its resources could not be opened: {reason(error)}. "
                "The plugins entered before it have been left."
            ) from error
        self._entered.append((origin, plugin))

    async def leave(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave every entered plugin, the last one first; what they raise comes out together, each with its name.

        A plugin is told of the exception that ends the block and cannot swallow it.
        """
        errors: list[Exception] = []
        interrupt: BaseException | None = None
        while self._entered:
            origin, plugin = self._entered.pop()
            try:
                await type(plugin).__aexit__(plugin, kind, error, trace)
            except BaseException as raised:  # the others are left all the same
                raised.add_note(f"while leaving {origin}")
                if isinstance(raised, Exception):
                    errors.append(raised)
                else:
                    interrupt = interrupt or raised
        self.open = False
        group = ExceptionGroup("PluginHost: plugins could not be left", errors) if errors else None
        if interrupt is not None:
            raise interrupt from group
        if group is not None:
            raise group
