"""Memories as JSON text: one spelling for each value, so that texts can be compared."""

from __future__ import annotations

import json
from typing import Any

from ditto_core import JsonValue


def written(value: JsonValue) -> str:
    """Return the text of a value: members sorted, nothing between them, 1 and 1.0 and true kept apart."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def read(text: str) -> Any:
    """Return the value of a text; raises ValueError or RecursionError for what is no JSON."""
    return json.loads(text, parse_constant=_refused, object_pairs_hook=_once)


def _refused(word: str) -> object:
    raise ValueError(f"{word} is no JSON")


def _once(members: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("a member is there twice")
    return found
