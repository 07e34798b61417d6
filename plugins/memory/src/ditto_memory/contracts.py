"""The values of MEMORY: what is written, what is read, and the result that says how it went."""

from __future__ import annotations

from typing import Literal

import attrs

from ditto_core import UNSET, InteractionError, InvalidValue, JsonObject, JsonValue, Unset, describe

from .checks import MAX_BATCH, check_name, check_object, check_tuple


@attrs.frozen(kw_only=True, unsafe_hash=False)
class NewMemory:
    """What is to be remembered: any JSON value, and with a key that it is to be found by.

    With a ``key``, writing it again changes nothing; without one, each write makes another record.
    Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    content: JsonValue
    key: str | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        if self.key is not UNSET:
            check_name(self.key, "NewMemory.key")
        if self.metadata is not UNSET:
            check_object(self.metadata, "NewMemory.metadata")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class MemoryItem:
    """What is remembered, with the id that the backend gave it. Raises :class:`InvalidValue`."""

    __hash__ = None  # type: ignore[assignment]

    id: str
    content: JsonValue
    key: str | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.id, "MemoryItem.id")
        if self.key is not UNSET:
            check_name(self.key, "MemoryItem.key")
        if self.metadata is not UNSET:
            check_object(self.metadata, "MemoryItem.metadata")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class MemoryGet:
    """Asks ``MEMORY.GET`` for memories by their ids, their keys or both.

    Those that are not there are left out; what is found stands in the order of the ids, then of the keys, each once.
    Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    ids: tuple[str, ...] | Unset = UNSET
    keys: tuple[str, ...] | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        if self.ids is UNSET and self.keys is UNSET:
            raise InvalidValue("MemoryGet", "needs ids, keys or both")
        asked = 0
        for field, names in (("MemoryGet.ids", self.ids), ("MemoryGet.keys", self.keys)):
            if names is not UNSET:
                check_tuple(names, str, field)
                asked += len(names)
                for index, name in enumerate(names):
                    check_name(name, f"{field}[{index}]")
        if asked > MAX_BATCH:
            raise InvalidValue("MemoryGet", f"asks for {asked:,}, and may ask for {MAX_BATCH:,}; make several calls")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class MemoryWrite:
    """Asks ``MEMORY.WRITE`` for a batch: all of it is stored, or nothing. Raises :class:`InvalidValue`."""

    __hash__ = None  # type: ignore[assignment]

    memories: tuple[NewMemory, ...]

    def __attrs_post_init__(self) -> None:
        check_tuple(self.memories, NewMemory, "MemoryWrite.memories")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class MemoryResult:
    """How a call of MEMORY ended: a success with its memories as ``output``, or a failure with its ``error``.

    ``execution_id`` names this one call. Raises :class:`InvalidValue` for a success without an output or with an
    error, and for a failure without an error or with an output.
    """

    __hash__ = None  # type: ignore[assignment]

    execution_id: str
    node: str
    status: Literal["success", "failed"]
    output: tuple[MemoryItem, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.execution_id, "MemoryResult.executionId")
        check_name(self.node, "MemoryResult.node")
        if self.output is not UNSET:
            check_tuple(self.output, MemoryItem, "MemoryResult.output")
        if self.error is not UNSET and type(self.error) is not InteractionError:
            raise InvalidValue("MemoryResult.error", f"must be an InteractionError, not {describe(self.error)}")
        there = {"success": (True, False), "failed": (False, True)}
        if there.get(self.status) != (self.output is not UNSET, self.error is not UNSET):
            raise InvalidValue("MemoryResult.status", "must be success, with an output, or failed, with an error")
