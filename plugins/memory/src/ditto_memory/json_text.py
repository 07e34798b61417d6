"""Memories as JSON text: one spelling for each value, so that texts can be compared."""

from __future__ import annotations

import json
from typing import Any

from ditto_core import JsonValue, parse_json


def written(value: JsonValue) -> str:
    """Return the text of a value: members sorted, nothing between them, 1 and 1.0 and true kept apart."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def read(text: str) -> Any:
    """Return the value of a text; raises ValueError for what is no JSON."""
    return parse_json(text, max_characters=len(text))  # it is bounded where it is written
