"""What somebody else's object has and gives, told without calling it."""

from __future__ import annotations

import inspect
from typing import Any


def is_async(function: Any) -> bool:
    """Tell whether calling `function` gives a coroutine: an async function, or an object with an async call."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004


def read(value: object, attribute: str, default: object = None) -> object:
    """Return a foreign object's attribute; one that raises when it is read is as good as absent."""
    try:
        return getattr(value, attribute, default)
    except Exception:  # whatever a property of somebody else's may raise
        return default
