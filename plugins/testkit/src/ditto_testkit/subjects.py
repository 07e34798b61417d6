"""What there are contracts for."""

from __future__ import annotations

from typing import Literal, TypeAlias

Subject: TypeAlias = Literal["tool pack", "output sink", "executor", "search provider"]
"""What a check is about."""
