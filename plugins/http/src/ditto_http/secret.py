"""A key, held so that nothing that shows, copies or stores its owner shows or stores it."""

from __future__ import annotations

from typing import NoReturn, Self

from ditto_core import describe


class Secret:
    """What was given as a key, whatever it is, or None where none is needed; only :meth:`reveal` shows it.

    It is the converter of a field: ``_token: Secret = attrs.field(converter=Secret, repr=False)``. Its owner asks for
    its :meth:`problem` when it is made.
    """

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    @property
    def is_given(self) -> bool:
        """Whether there is a key."""
        return self._value is not None

    def reveal(self) -> str:
        """Return the key, as it goes into a request; nothing for what is no key."""
        return self._value if type(self._value) is str else ""

    def problem(self, longest: int, *, optional: bool = False) -> str | None:
        """Say why this can be no key of at most `longest` characters, without one of them; None for a key.

        A key goes into a header, so it is printable ASCII without blanks. With ``optional`` there may be none.
        """
        if optional and self._value is None:
            return None
        remedy = "" if optional else "; read it from where your application keeps it"
        if type(self._value) is not str:
            return f"must be a string{' or None' if optional else ''}, not {describe(self._value)}{remedy}"
        if len(self._value) <= longest and self._value and all("!" <= character <= "~" for character in self._value):
            return None
        if not optional and not self._value.strip():
            return f"must not be empty{remedy}"
        return (
            f"must be 1 to {longest} printable ASCII characters, without blanks and ends of lines; "
            "strip what a file or a variable has around it"
            + (", and give None for an endpoint without a key" if optional else "")
        )

    def __repr__(self) -> str:
        return "<hidden>" if self.is_given else "<none>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("A key cannot be pickled: make what holds it where it is used, with the key from there.")
