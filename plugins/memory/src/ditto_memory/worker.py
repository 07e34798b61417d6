"""The MEMORY worker: its two nodes, and how they are put together."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from typing import TypeVar
from uuid import uuid4

import attrs

from ditto_core import (
    UNSET,
    InvalidInput,
    InvalidValue,
    Node,
    ToolContext,
    Worker,
    describe,
    from_wire,
    to_wire,
)

from .backend import MemoryBackend, MemoryFailed
from .contracts import MemoryGet, MemoryItem, MemoryResult, MemoryWrite
from .json_text import written

In = TypeVar("In", MemoryGet, MemoryWrite)

MEMORY = "MEMORY"
MAX_WAITING = 1_024
"""How many calls may wait for a slot of one registration unless the worker says otherwise."""

MEMORY_GET: Node[MemoryGet, MemoryResult] = Node("MEMORY.GET", MemoryGet, MemoryResult)
"""Read memories by id and by key."""
MEMORY_WRITE: Node[MemoryWrite, MemoryResult] = Node("MEMORY.WRITE", MemoryWrite, MemoryResult)
"""Store a batch of memories, all or none."""


def memory_worker(backend: MemoryBackend, *, concurrency: int | None = 1, max_waiting: int = MAX_WAITING) -> Worker:
    """Return the worker with ``MEMORY.GET`` and ``MEMORY.WRITE`` on one backend.

    `concurrency` and `max_waiting` bound its calls, as those of every :class:`ditto_core.Worker`: one at a time unless
    another number, or None, is given. Raises :class:`ditto_core.InvalidValue`.
    """
    if isinstance(backend, type) or not isinstance(backend, MemoryBackend):
        raise InvalidValue("backend", f"must have get and write, which {describe(backend)} has not")
    handlers = Handlers(backend=backend)
    nodes = [MEMORY_GET.define(MEMORY, handlers.get), MEMORY_WRITE.define(MEMORY, handlers.write)]
    return Worker(MEMORY, nodes, concurrency=concurrency, max_waiting=max_waiting)


@attrs.frozen(kw_only=True)
class Handlers:
    """What runs the nodes, on one backend."""

    backend: MemoryBackend

    async def get(self, input: MemoryGet, context: ToolContext) -> MemoryResult:
        """Return the memories that there are; raises :class:`InvalidInput`."""
        input = _entered(MEMORY_GET, input)
        ids = tuple(dict.fromkeys(input.ids or ()))
        keys = tuple(dict.fromkeys(input.keys or ()))
        if not ids and not keys:
            return _result(MEMORY_GET, ())
        return await _outcome(MEMORY_GET, self._got(ids, keys), "Nothing was read.")

    async def write(self, input: MemoryWrite, context: ToolContext) -> MemoryResult:
        """Return the memories as they are stored; raises :class:`InvalidInput`."""
        input = _entered(MEMORY_WRITE, input)
        if not input.memories:
            return _result(MEMORY_WRITE, ())
        return await _outcome(
            MEMORY_WRITE,
            self._written(input),
            "Either all was stored or nothing. Memories with keys may be written again.",
        )

    async def _got(self, ids: tuple[str, ...], keys: tuple[str, ...]) -> Iterable[MemoryItem]:
        found = _items(await self.backend.get(ids, keys))
        by_id = {item.id: item for item in found}
        by_key = {item.key: item for item in found if item.key is not UNSET}
        if any(item.id not in ids and item.key not in keys for item in found):
            raise _invalid("memories that nobody has asked for")
        ordered = [by_id.get(id) for id in ids] + [by_key.get(key) for key in keys]
        return {item.id: item for item in ordered if item is not None}.values()

    async def _written(self, input: MemoryWrite) -> Iterable[MemoryItem]:
        stored = _items(await self.backend.write(input.memories))
        if len(stored) != len(input.memories):
            raise _invalid("another number of memories than it was given")
        for item, memory in zip(stored, input.memories, strict=True):
            if item.key != memory.key or written(item.content) != written(memory.content):
                raise _invalid("other memories than it was given")
        return stored


def _entered(node: Node[In, MemoryResult], input: In) -> In:
    """Return the input looked through and through: an object that Python code has made may hold what is no JSON."""
    try:
        return from_wire(node.input, to_wire(input))
    except InvalidValue as error:
        raise InvalidInput(f"Node {node.type!r}: {error}.") from None


def _items(given: Sequence[MemoryItem]) -> list[MemoryItem]:
    """Return what a backend gave, if it is memories through and through."""
    if type(given) not in (list, tuple) or any(type(item) is not MemoryItem for item in given):
        raise _invalid("something else than a list of MemoryItem")
    try:
        return [from_wire(MemoryItem, to_wire(item)) for item in given]
    except InvalidValue:
        raise _invalid("a memory that is no JSON") from None


def _invalid(what: str) -> MemoryFailed:
    return MemoryFailed("INVALID_BACKEND_OUTPUT", f"The memory backend gave {what}.")


async def _outcome(node: Node[In, MemoryResult], work: Awaitable[Iterable[MemoryItem]], settled: str) -> MemoryResult:
    """Return what the work gives as a result; whatever a backend raises becomes a failure, and a cancellation none."""
    try:
        return _result(node, await work)
    except MemoryFailed as failure:
        error = failure.error
    except Exception as raised:
        fact = f"The memory backend failed ({type(raised).__name__}). {settled}"
        error = MemoryFailed("MEMORY_BACKEND_ERROR", fact).error
    return MemoryResult(execution_id=uuid4().hex, node=node.type, status="failed", error=error)


def _result(node: Node[In, MemoryResult], items: Iterable[MemoryItem]) -> MemoryResult:
    return MemoryResult(execution_id=uuid4().hex, node=node.type, status="success", output=tuple(items))
