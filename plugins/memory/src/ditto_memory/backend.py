"""The port of what keeps memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from ditto_core import DittoError, InteractionError, safe_message

from .contracts import MemoryItem, NewMemory


class MemoryFailed(DittoError):
    """Raised by a backend: the call ends in a result with the status ``failed`` and this as its ``error``.

    `code` and `message` are such as :class:`ditto_core.InteractionError` takes; a message that is not safe to show is
    replaced. Callers of the nodes never see the exception. Raises :class:`ditto_core.InvalidValue`.
    """

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.error = InteractionError(
            code=code, message=safe_message(message, "The memory backend failed."), retryable=retryable
        )


@runtime_checkable
class MemoryBackend(Protocol):
    """Keeps memories. What is neither returned nor :class:`MemoryFailed` becomes ``MEMORY_BACKEND_ERROR``."""

    async def get(self, ids: Sequence[str], keys: Sequence[str]) -> Sequence[MemoryItem]:
        """Return the memories that have one of these ids or keys, in any order; those that are not there are not."""
        ...

    async def write(self, memories: Sequence[NewMemory]) -> Sequence[MemoryItem]:
        """Store all of these or none, and return each as it is stored, in their order, once that is settled.

        A key that is there already with the same content and metadata is left as it is; with another, nothing is
        stored and :class:`MemoryFailed` is raised with the code ``KEY_CONFLICT``.
        """
        ...
