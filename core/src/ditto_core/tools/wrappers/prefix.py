"""`with_prefix`: the same tool under a longer name."""

from __future__ import annotations

from typing import TypeVar

import attrs

from ...errors import InvalidName
from ...text import describe
from ..tool import Tool
from .running import check_tool

A = TypeVar("A")


def with_prefix(tool: Tool[A], prefix: str) -> Tool[A]:
    """Return the tool with `prefix` before its name, which is all that changes.

    Raises :class:`InvalidName` when the two together are no tool name: 1-64 ASCII letters, digits, ``_`` and ``-``.
    """
    check_tool(tool, "with_prefix")
    if type(prefix) is not str:
        raise InvalidName(f"with_prefix({tool.name!r}): the prefix must be a string, not {describe(prefix)}.")
    return attrs.evolve(tool, name=prefix + tool.name)
