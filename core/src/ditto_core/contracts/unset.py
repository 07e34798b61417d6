"""The difference between absent and null."""

from __future__ import annotations

import enum
from typing import Final, Literal


class Unset(enum.Enum):
    """The type of :data:`UNSET`; an enum, so that type checkers narrow ``value is UNSET``."""

    UNSET = "UNSET"

    def __bool__(self) -> Literal[False]:
        """Be falsy, so that ``if result.error:`` reads as it should."""
        return False

    def __repr__(self) -> str:
        return "UNSET"

    __str__ = __repr__


UNSET: Final = Unset.UNSET
"""An optional field that is absent; ``None`` is JSON's null and present."""
