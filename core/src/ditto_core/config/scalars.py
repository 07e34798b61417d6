"""Plain scalars of a file, by the core schema of YAML 1.2.

So ``yes``, ``on``, ``1_000``, ``12:30`` and ``2024-01-01`` are strings, ``1e3`` is a number and ``0o17`` is 15. A
number without a fraction is an integer, however it is written: ``5.0`` is 5, as it is for JSON Schema.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Final

_NULL: Final = re.compile(r"(?:null|Null|NULL|~|)")
_TRUE: Final = re.compile(r"(?:true|True|TRUE)")
_FALSE: Final = re.compile(r"(?:false|False|FALSE)")
_INTEGER: Final = re.compile(r"[-+]?[0-9]+", re.ASCII)
_OCTAL: Final = re.compile(r"0o[0-7]+", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"0x[0-9a-fA-F]+", re.ASCII)
_REAL: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_NO_NUMBER: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MAX_DIGITS: Final = 4_300


class Unusable(Exception):
    """A scalar or an object that no configuration can hold; the text says why."""


def integer(text: str, base: int = 10) -> int:
    """Return the integer; raises :class:`Unusable` for more digits than Python reads."""
    if len(text) > _MAX_DIGITS:
        raise Unusable(f"holds an integer of more than {_MAX_DIGITS} digits; write it as a string")
    return int(text, base)


def real(text: str) -> int | float:
    """Return the number, an integer if it has no fraction; raises :class:`Unusable` for one that is too large."""
    number = float(text)
    if not isfinite(number):
        raise Unusable("holds a number that is too large; write it as a string")
    return int(number) if number.is_integer() else number


def plain(text: str) -> str | float | bool | None:
    """Return what a plain scalar means; raises :class:`Unusable` for what is no finite number."""
    if _NULL.fullmatch(text):
        return None
    if _TRUE.fullmatch(text):
        return True
    if _FALSE.fullmatch(text):
        return False
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _OCTAL.fullmatch(text):
        return integer(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return integer(text[2:], 16)
    if _REAL.fullmatch(text):
        return real(text)
    if _NO_NUMBER.fullmatch(text):
        raise Unusable("holds what is no finite number; write it in quotes if it is text")
    return text
