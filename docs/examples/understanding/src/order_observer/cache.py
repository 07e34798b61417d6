"""The context of a task, which is a cache: it may be gone at any time, and is made anew from what is kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from ditto_context import ContextError, ContextItem, ContextLoad, ContextScope
from ditto_core import UNSET

from .request import Request
from .steps import Steps

R = TypeVar("R")


class Cache:
    """The items of a task that are settled, in the context under ``observation:<tenant>:<id>``.

    Only a context that is not there is made anew. Every other failure is raised as the
    :class:`~ditto_context.ContextError` that it is: nothing of the process stands in for a store that is lost.
    """

    def __init__(self, steps: Steps, request: Request) -> None:
        self._steps = steps
        self._items: dict[str, ContextItem] = {}
        self.scope = ContextScope(session_id=f"observation:{request.tenant}:{request.id}")

    async def begin(self, items: Iterable[ContextItem]) -> None:
        """Put these items in the place of whatever is kept there."""
        self._items = {item.id: item for item in items}
        try:
            version = (await self._steps.load(ContextLoad(scope=self.scope))).version
        except ContextError as error:
            if error.code != "CONTEXT_NOT_FOUND":
                raise
            version = UNSET
        load = ContextLoad(scope=self.scope, sources=tuple(self._items.values()), expected_version=version)
        await self._steps.load(load)

    async def enter(self, item: ContextItem) -> None:
        """Add an item that has been settled."""
        self._items[item.id] = item
        await self.present(lambda: self._steps.add(self.scope, item))

    async def present(self, use: Callable[[], Awaitable[R]]) -> R:
        """Return what a use of the context gives; one that is gone meanwhile is made anew, once."""
        try:
            return await use()
        except ContextError as error:
            if error.code != "CONTEXT_NOT_FOUND":
                raise
        await self._steps.load(ContextLoad(scope=self.scope, sources=tuple(self._items.values())))
        return await use()
