"""A sandbox that remembers what it was asked."""

from __future__ import annotations

from typing import Any

from ditto_core import Sandbox


class RecordingSandbox(Sandbox):
    """Says what every sandbox says, and remembers which permissions were required and which of them were denied."""

    required: list[str]
    denied: list[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        object.__setattr__(self, "required", [])
        object.__setattr__(self, "denied", [])

    def require(self, kind: Any, name: str | None = None) -> None:
        """Remember the question, then answer as every sandbox does."""
        self.required.append(kind)
        if not self.allows(kind, name):
            self.denied.append(kind)
        super().require(kind, name)
