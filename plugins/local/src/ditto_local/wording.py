"""How a message shows a name that somebody else chose."""

from __future__ import annotations

from typing import Final

MAX_SHOWN: Final = 100
"""How many characters of the name of a program or a variable a message shows."""


def quoted(name: str) -> str:
    """Return how a message shows the name of a program or a variable: on one line, and not all of a long one."""
    return repr(name if len(name) <= MAX_SHOWN else f"{name[:MAX_SHOWN]}…")
