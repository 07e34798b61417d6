"""Lone surrogates, which no UTF-8 can write and no text of Ditto may hold."""

from __future__ import annotations

from ditto_core import replace_surrogates


def is_writable(text: str) -> bool:
    """Tell whether UTF-8 can write a text."""
    return replace_surrogates(text) == text
