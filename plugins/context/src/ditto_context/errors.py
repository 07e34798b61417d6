"""What a context refuses, as one error with a code."""

from __future__ import annotations

from functools import partial
from typing import Literal, TypeAlias

from ditto_core import DittoError

ContextCode: TypeAlias = Literal[
    "INLINE_LIMIT_EXCEEDED",
    "ITEM_LIMIT_EXCEEDED",
    "DUPLICATE_ITEM",
    "MISSING_ITEM",
    "CONTEXT_NOT_FOUND",
    "STATE_CONFLICT",
    "STATE_STORE_UNAVAILABLE",
    "INVALID_STATE",
]
"""Why a context was neither given nor changed."""


class ContextError(DittoError):
    """A node of CONTEXT could not do what it was asked for; ``code`` says why.

    ``uncertain`` is true when a store was lost while it was being written: the change may have been made all the
    same, so read before you write again. Otherwise nothing has changed.
    """

    def __init__(self, code: ContextCode, message: str, *, uncertain: bool = False) -> None:
        super().__init__(message)
        self.code: ContextCode = code
        self.uncertain = uncertain

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), uncertain=self.uncertain), (self.code, str(self))
