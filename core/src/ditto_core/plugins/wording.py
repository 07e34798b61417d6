"""How messages about plugins are worded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..contracts.safety import safe_message
from ..text import escape, quote
from .origin import Origin

_MAX_LISTED = 20


def title(origin: Origin) -> str:
    """Return the origin as the beginning of a sentence."""
    return f"P{str(origin)[1:]}"


def reason(error: BaseException) -> str:
    """Return the kind of an exception, and its text where that may be shown: no secret, host path or traceback."""
    kind = escape(type(error).__name__)
    try:
        text = str(error)
    except Exception:  # an exception of somebody else's making
        return kind
    return f"{kind}: {text}" if text and safe_message(text, "unsafe") == text else kind


def listed(names: Iterable[str]) -> str:
    """Return the names in quotes and in order, the first 20 of them; ``none`` when there are none."""
    return shortened([quote(name) for name in sorted(names)])


def shortened(items: list[str]) -> str:
    """Return the items with commas between them, the first 20 of them; ``none`` when there are none."""
    more = len(items) - _MAX_LISTED
    return ", ".join(items[:_MAX_LISTED]) + (f" and {more} more" if more > 0 else "") if items else "none"


def repeats(text: str, value: Any) -> bool:
    """Tell whether a text holds a string of `value`, as it is or in a repr; three characters are nobody's secret."""
    pending = [value]
    while pending:
        one = pending.pop()
        if type(one) is str:
            if len(one) > 3 and (one in text or repr(one)[1:-1] in text):
                return True
        elif isinstance(one, dict):
            pending += one.values()
        elif isinstance(one, list | tuple | set | frozenset):
            pending += one
    return False
