"""The names that the wire has and Python has not."""

from __future__ import annotations

from typing import Any

import attrs

from ...errors import InvalidValue
from ..content import JsonPart, ReferencePart, TextPart
from ..mcp import McpDiscover, McpDiscovered, McpInvoke, McpInvoked

TAGS: dict[type[Any], tuple[str, str]] = {
    TextPart: ("type", "text"),
    JsonPart: ("type", "json"),
    ReferencePart: ("type", "reference"),
    **{kind: ("operation", kind.operation) for kind in (McpDiscover, McpInvoke, McpDiscovered, McpInvoked)},
}
"""The member that tells the JSON form of a class from those of its siblings: its name and what stands there."""


def wire_name(name: str) -> str:
    """Return the wire name of a field: ``call_id`` is ``callId``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def wire_names(kind: type[Any]) -> dict[str, str]:
    """Return the wire name of each field of an attrs class; raises :class:`InvalidValue` when two are the same."""
    names = {field.name: wire_name(field.name) for field in attrs.fields(kind)}
    if len(set(names.values())) != len(names):
        raise InvalidValue(kind.__name__, "has two fields with the same wire name; rename one of them")
    return names
