"""The lines of a server's standard output, cut out of what comes in pieces; no more is kept than one line may have."""

from __future__ import annotations

import attrs

EDGE = 512
"""How many bytes of both ends are kept of a line that is too long: what says which request it would answer."""


@attrs.frozen
class Line:
    """One line without its end; ``rest`` is the end of one that was too long, whose middle is lost."""

    data: bytes
    rest: bytes | None = None


class LineSplitter:
    """Takes bytes and gives lines."""

    def __init__(self, limit: int) -> None:
        """Keep lines of up to `limit` bytes whole."""
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0
        self._head: bytes | None = None
        """The beginning of a line that is too long already."""
        self._tail = b""

    def feed(self, data: bytes) -> list[Line]:
        """Take what has come and return the lines that are complete with it."""
        *ended, rest = data.split(b"\n")
        lines = []
        for piece in ended:
            self._keep(piece)
            lines.append(self._line())
        self._keep(rest)
        return lines

    def _keep(self, piece: bytes) -> None:
        if self._head is not None:
            self._head = (self._head + piece)[:EDGE]
            self._tail = (self._tail + piece)[-EDGE:]
            return
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > self._limit:
            kept = b"".join(self._pieces)
            self._head, self._tail = kept[:EDGE], kept[-EDGE:]
            self._pieces = []

    def _line(self) -> Line:
        line = Line(b"".join(self._pieces)) if self._head is None else Line(self._head, self._tail)
        self._pieces, self._size, self._head, self._tail = [], 0, None, b""
        return line
