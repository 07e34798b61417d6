"""How far the review is, for whoever sits at a terminal."""

from __future__ import annotations

import sys


def tell(progress: str) -> None:
    """Show one line in place of the one before; an empty one at the end."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{progress:<40}\r")
        sys.stderr.flush()
