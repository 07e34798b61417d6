"""The names that the wire has and Python has not."""

from __future__ import annotations

from typing import Any

from ..content import JsonPart, ReferencePart, TextPart

PART_TYPES: dict[type[Any], str] = {TextPart: "text", JsonPart: "json", ReferencePart: "reference"}
"""What stands under ``type`` in the JSON form of each kind of part."""


def wire_name(name: str) -> str:
    """Return the wire name of a field: ``call_id`` is ``callId``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
