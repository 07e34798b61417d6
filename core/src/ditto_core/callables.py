"""What calling something gives, told without calling it."""

from __future__ import annotations

import inspect
from typing import Any


def is_async(function: Any) -> bool:
    """Tell whether calling `function` gives a coroutine: an async function, or an object with an async call."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004
