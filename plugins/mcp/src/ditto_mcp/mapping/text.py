"""Lone surrogates, which no UTF-8 can write and no part of Ditto takes."""

from __future__ import annotations

import re
from typing import Any, Final

DEEPEST: Final = 200
"""How deep it is looked for them; nothing that is deeper enters Ditto."""

_LONE: Final = re.compile("[\ud800-\udfff]")


def is_clean(text: str) -> bool:
    """Tell whether UTF-8 can write a text."""
    return text.isascii() or _LONE.search(text) is None


def clean(text: str) -> str:
    """Return a text with U+FFFD in place of each lone surrogate."""
    return text if text.isascii() else _LONE.sub("\N{REPLACEMENT CHARACTER}", text)


def cleaned(value: Any, depth: int = DEEPEST) -> Any:
    """Return a value of JSON with all its texts and keys clean, as a copy."""
    if type(value) is str:
        return clean(value)
    if depth:
        if type(value) is dict:
            return {clean(key) if type(key) is str else key: cleaned(item, depth - 1) for key, item in value.items()}
        if type(value) is list:
            return [cleaned(item, depth - 1) for item in value]
    return value
