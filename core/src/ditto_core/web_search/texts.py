"""Titles and snippets: each on one line, and within its limit."""

from __future__ import annotations

import re
from typing import Final

MAX_READ: Final = 65_536
"""How many characters are looked at of a title or a snippet; what comes after them is cut unread."""

# Controls and line ends; and the bytes of UTF-8 that are part of neither, of which 0xC2 begins the C1 controls.
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_HARMLESS = bytes(byte for byte in range(0x20, 0x100) if byte not in {0x7F, 0xC2})


def fitted(texts: list[str], limit: int) -> tuple[list[str], bool]:
    """Return the texts on one line each and with at most `limit` characters, and whether any of them was cut.

    Where a text holds controls or line ends, each run of them becomes one blank, with the blanks around it; there are
    none at its ends then. Otherwise it stays as it is.
    """
    # Nearly every text is right as it is, and that is told for all of them together.
    together = "".join(texts)
    if (
        not together.encode().translate(None, _HARMLESS)
        and "\u2028" not in together
        and "\u2029" not in together
        and max(map(len, texts), default=0) <= limit
    ):
        return texts, False
    lines = [_on_one_line(text[:MAX_READ]) for text in texts]
    cut = any(len(line) > limit for line in lines) or any(len(text) > MAX_READ for text in texts)
    return [line[:limit] for line in lines], cut


def _on_one_line(text: str) -> str:
    pieces = _BREAKS.split(text)
    return text if len(pieces) == 1 else " ".join(filter(None, map(str.strip, pieces)))
