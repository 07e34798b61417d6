"""The names that the wire has and Python has not."""

from __future__ import annotations

from typing import Any

import attrs

from ...errors import InvalidValue
from ..content import JsonPart, ReferencePart, TextPart

PART_TYPES: dict[type[Any], str] = {TextPart: "text", JsonPart: "json", ReferencePart: "reference"}
"""What stands under ``type`` in the JSON form of each kind of part."""


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
