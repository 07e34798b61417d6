r"""Escapes of lone surrogates in JSON, such as ``"\ud800"``, which the SDK's parser refuses with all that is around.

Each becomes U+FFFD. JSON has backslashes in strings only, so no more than the escapes has to be looked at.
"""

from __future__ import annotations

import re
from typing import Final

_HEX: Final = rb"[0-9a-fA-F]"
_WHOLE: Final = (
    rb"\\u[dD][89abAB]%b{2}\\u[dD][c-fC-F]%b{2}"  # a pair, which is one character
    rb"|\\(?P<lone>u[dD][89a-fA-F]%b{2})"  # half of one
    rb"|\\." % (_HEX, _HEX, _HEX)  # any other escape, an escaped backslash above all
)
_CUT: Final = rb"(?P<cut>\\(?:u%b{0,3}|u[dD][89abAB]%b{2}(?:\\(?:u%b{0,3})?)?)?\Z)" % (_HEX, _HEX, _HEX)
_ESCAPE: Final = re.compile(_WHOLE, re.DOTALL)
_ESCAPE_OR_CUT: Final = re.compile(_CUT + b"|" + _WHOLE, re.DOTALL)


def repair(data: bytes) -> bytes:
    """Return JSON, or lines that hold some, without such escapes."""
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    return _ESCAPE.sub(_without_lone, data)


class Repairer:
    """Repairs what comes in pieces, which may be cut within an escape."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, piece: bytes) -> bytes:
        """Take a piece and return what can be told of it; an escape that is not whole waits for the next one."""
        data = self._kept + piece
        self._kept = b""
        return _ESCAPE_OR_CUT.sub(self._take, data) if b"\\" in data else data

    def end(self) -> bytes:
        """Return what waited in vain."""
        return repair(self._kept)

    def _take(self, found: re.Match[bytes]) -> bytes:
        if found["cut"]:
            self._kept = found["cut"]
            return b""
        return _without_lone(found)


def _without_lone(found: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if found["lone"] else found[0]
