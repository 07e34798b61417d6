"""JSON as text: one form to compare and to fingerprint, and a reader that repairs nothing."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NoReturn, cast

from ditto_core import InvalidValue, JsonObject, JsonPart, JsonValue, from_wire, to_wire


def canonical(value: JsonValue) -> str:
    """Write a value in its one form: keys sorted, no blanks, no escapes that are not needed.

    ``1``, ``1.0`` and ``true`` are three values here, as they are in the text.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def written(contract: object) -> JsonObject:
    """Return the JSON object that an object of an attrs class is on the wire."""
    return cast("JsonObject", to_wire(contract))


def same(one: JsonValue, other: JsonValue) -> bool:
    """Tell whether two values are written alike."""
    return canonical(one) == canonical(other)


def fingerprint(value: JsonValue) -> str:
    """Return the SHA-256 of a value's canonical text, as hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


class NotJson(ValueError):
    """A text is not one JSON value, or one that cannot be passed on."""


def read(text: str) -> JsonValue:
    """Read a text that is one JSON value; raises :class:`NotJson`, for NaN and for a key twice too."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        return from_wire(JsonPart, {"type": "json", "data": value}).data  # its depth, its numbers, its surrogates
    except (InvalidValue, ValueError, RecursionError) as error:
        raise NotJson("This is no JSON that can be passed on.") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("A key is there twice.")
    return found


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON.")
