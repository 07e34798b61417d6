"""What the contracts of every call share: they compare and show themselves by the values in the instance's dict.

attrs would write the same methods anew for each class, which takes as long as the rest of making the class.
"""

from __future__ import annotations


class Record:
    """Equal to another of its very class with equal values; not hashable."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({values})"
