"""Schemas beside each other as one: what ``allOf`` means for the keywords that values are made from."""

from __future__ import annotations

from typing import Any

from ditto_core import JsonObject

_GREATEST = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
_LEAST = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}


def merged(first: JsonObject, second: JsonObject) -> JsonObject:
    """Return a schema that asks for what both ask for; what it cannot say is left to the judge of the values."""
    both: dict[str, Any] = {**first}
    for keyword, value in second.items():
        both[keyword] = _merged(keyword, both[keyword], value) if keyword in both else value
    return both


def _merged(keyword: str, one: Any, other: Any) -> Any:
    if one == other and type(one) is type(other):
        return one
    if keyword in _GREATEST:
        return max(one, other)
    if keyword in _LEAST:
        return min(one, other)
    if keyword == "type":
        return _types(one, other)
    if keyword == "enum":
        return [value for value in one if any(type(value) is type(item) and value == item for item in other)]
    if keyword == "required":
        return [*one, *(name for name in other if name not in one)]
    if keyword in ("properties", "$defs"):
        return {**one, **{name: _both(one[name], item) if name in one else item for name, item in other.items()}}
    if keyword in ("items", "additionalProperties", "propertyNames"):
        return _both(one, other)
    if keyword == "allOf":
        return [*one, *other]
    return [_both(left, right) for left in one for right in other] if keyword == "anyOf" else other


def _both(one: Any, other: Any) -> Any:
    if one is False or other is False:
        return False
    if one is True:
        return other
    return one if other is True else {"allOf": [one, other]}


def _types(one: Any, other: Any) -> Any:
    left, right = ([kind] if isinstance(kind, str) else list(kind) for kind in (one, other))
    shared = [kind for kind in left if kind in right]
    if "integer" not in shared and {"integer", "number"} <= {*left, *right}:
        shared.append("integer")
    return shared[0] if len(shared) == 1 else shared
