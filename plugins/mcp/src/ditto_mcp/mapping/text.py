"""Lone surrogates, which no UTF-8 can write and no text of Ditto may hold."""

from __future__ import annotations

import re
from typing import Final

_LONE: Final = re.compile("[\ud800-\udfff]")


def is_clean(text: str) -> bool:
    """Tell whether UTF-8 can write a text."""
    return text.isascii() or _LONE.search(text) is None


def clean(text: str) -> str:
    """Return a text with U+FFFD in place of each lone surrogate."""
    return text if text.isascii() else _LONE.sub("\N{REPLACEMENT CHARACTER}", text)
