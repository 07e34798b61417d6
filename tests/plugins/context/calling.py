"""How the tests call the two nodes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs

from ditto_context import (
    CONTEXT_LOAD,
    CONTEXT_UPDATE,
    Context,
    ContextItem,
    ContextLoad,
    ContextPolicy,
    ContextScope,
    ContextStore,
    ContextUpdate,
    context_worker,
)
from ditto_core import Runtime

SCOPE = ContextScope(session_id="s1")


@attrs.frozen
class Calls:
    """The nodes as functions."""

    runtime: Runtime

    async def load(self, **fields: Any) -> Context:
        return await self.runtime.invoke(CONTEXT_LOAD, ContextLoad(**fields))

    async def update(self, **fields: Any) -> Context:
        return await self.runtime.invoke(CONTEXT_UPDATE, ContextUpdate(**fields))


@asynccontextmanager
async def calling(store: ContextStore | None = None, policy: ContextPolicy | None = None) -> AsyncIterator[Calls]:
    async with Runtime(workers=[context_worker(store=store, policy=policy)]) as runtime:
        yield Calls(runtime)


def item(id: str, content: Any = "", **fields: Any) -> ContextItem:
    return ContextItem(id=id, content=content, **fields)


def ids(context: Context) -> list[str]:
    return [item.id for item in context.items]
