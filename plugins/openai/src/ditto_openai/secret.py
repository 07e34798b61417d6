"""The key, held so that nothing that shows, copies or stores a model shows or stores it."""

from __future__ import annotations

import re
from typing import Final, NoReturn, Self

from ditto_core import describe

MAX_KEY: Final = 4_096
"""How many characters a key may have."""

_is_key: Final = re.compile(rf"[!-~]{{1,{MAX_KEY}}}").fullmatch


class Secret:
    """What was given as a key, or None for an endpoint that wants none; only :meth:`reveal` shows it."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    @property
    def is_given(self) -> bool:
        """Whether there is a key."""
        return self._value is not None

    def reveal(self) -> str:
        """Return the key, as it goes into a request."""
        return self._value if type(self._value) is str else ""

    def problem(self) -> str | None:
        """Say why this can be no key, without a character of it."""
        if self._value is None:
            return None
        if type(self._value) is not str:
            return f"must be a string or None, not {describe(self._value)}"
        if _is_key(self._value):
            return None
        return (
            f"must be 1 to {MAX_KEY:,} printable ASCII characters, without blanks and ends of lines; "
            "strip what a file or a variable has around it, and give None for an endpoint without a key"
        )

    def __repr__(self) -> str:
        return "<hidden>" if self.is_given else "<none>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("A key cannot be pickled: make the model where it is used, with the key from there.")
