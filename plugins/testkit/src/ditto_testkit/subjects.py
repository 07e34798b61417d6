"""What there are contracts for."""

from __future__ import annotations

from typing import Literal, TypeAlias

Subject: TypeAlias = Literal["tool pack", "output sink", "executor", "MCP client"]
"""What a check is about."""
