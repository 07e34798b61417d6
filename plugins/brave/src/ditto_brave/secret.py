"""The key, held so that nothing that shows, copies or stores a provider shows or stores it."""

from __future__ import annotations

import re
from typing import Final, NoReturn, Self

from ditto_core import describe

MAX_KEY: Final = 1_024
"""How many characters a key may have."""

_is_key: Final = re.compile(rf"[!-~]{{1,{MAX_KEY}}}").fullmatch


class Secret:
    """What was given as a key, whatever it is; only :meth:`reveal` shows it."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key, as it goes into the request."""
        return self._value if type(self._value) is str else ""

    def problem(self) -> str | None:
        """Say why this can be no key, without a character of it."""
        if type(self._value) is not str:
            return f"must be a string, not {describe(self._value)}; read it from where your application keeps it"
        if _is_key(self._value):
            return None
        if not self._value.strip():
            return "must not be empty; read it from where your application keeps it"
        return (
            f"must be 1 to {MAX_KEY} printable ASCII characters, without blanks and ends of lines; "
            "strip what a file or a variable has around it"
        )

    def __repr__(self) -> str:
        return "<hidden>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("A key cannot be pickled: make the provider where it is used, with the key from there.")
