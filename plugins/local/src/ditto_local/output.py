"""One output of a running command: the first part is kept, the rest only counted."""

from __future__ import annotations

import codecs

MAX_DROPPED = 1_048_576
"""How many bytes of an output are read and dropped after its cut before the command is ended."""


class BoundedOutput:
    """Keeps the first `max_bytes` bytes of an output, or its first `max_lines` lines if they are fewer.

    Memory is bounded by `max_bytes` and one read, however much comes.
    """

    def __init__(self, max_bytes: int, max_lines: int | None = None) -> None:
        self.seen = 0
        """How many bytes have come."""
        self.cut = False
        """Whether something that came was not kept."""
        self._kept = bytearray()
        self._max_bytes = max_bytes
        self._lines_left = max_lines

    @property
    def exhausted(self) -> bool:
        """Whether so much has come after the cut that nobody will read on."""
        return self.seen - len(self._kept) > MAX_DROPPED

    def feed(self, data: bytes) -> None:
        """Take what the command has printed next."""
        self.seen += len(data)
        if self.cut:
            return
        end = min(len(data), self._max_bytes - len(self._kept))
        if self._lines_left is not None:
            end, self._lines_left = _end_of_lines(data, end, self._lines_left)
        self._kept += data[:end]
        self.cut = end < len(data)

    def text(self) -> tuple[str, bool]:
        """Return what was kept as text of at most `max_bytes` bytes of UTF-8, and whether anything is missing.

        Bytes that are not UTF-8 become U+FFFD, which may be longer than they were, so the text may need another cut.
        A cut never splits a character.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(bytes(self._kept), final=not self.cut)
        encoded = text.encode()
        if len(encoded) <= self._max_bytes:
            return text, self.cut
        return encoded[: self._max_bytes].decode(errors="ignore"), True


def _end_of_lines(data: bytes, end: int, lines_left: int) -> tuple[int, int]:
    """Return where the last allowed line ends in `data`, `end` at the most, and how many more lines are allowed."""
    position = 0
    while lines_left:
        position = data.find(b"\n", position, end) + 1
        if not position:
            return end, lines_left
        lines_left -= 1
    return position, 0
