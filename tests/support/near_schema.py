"""JSON values near a schema: such that fit it for the most part, and all that are one step away from a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from tests.support.arguments import HOSTILE

Draw = Callable[[st.SearchStrategy[Any]], Any]

_text = st.text(st.sampled_from("abxé😀\n5 "), max_size=4)
_key = st.text(st.sampled_from("abA\n"), max_size=2)
_any = st.recursive(
    st.sampled_from(HOSTILE),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_key, inner, max_size=2),
    max_leaves=3,
)


def fitting(schema: Any) -> st.SearchStrategy[Any]:
    """Give values that fit `schema` in their types, and in most of its other rules."""
    if "anyOf" in schema:
        return st.one_of([fitting(one) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    return _any if kind is None else _BY_TYPE[kind](schema)


def neighbours(value: Any) -> Iterator[Any]:
    """Give every value that differs from `value` in one place: there it is hostile, or one step away."""
    yield from HOSTILE
    if type(value) is dict:
        yield from ({**value, name: one} for name in ("a", "unknown\n") for one in (0, "a"))
        for name, one in value.items():
            yield {key: other for key, other in value.items() if key != name}
            yield from ({**value, name: other} for other in neighbours(one))
    elif type(value) is list:
        yield from ([*value, 0], [*value, "a"], value[1:], value + value, {"0": value})
        for index, one in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in neighbours(one))
    elif type(value) is str:
        yield from (value + "\n", value + "a", value[1:], [value], value.upper())
    elif type(value) is int:
        yield from (value + 1, value - 1, -value, value == 1, str(value))
        if abs(value) < 10**300:
            yield float(value)
    elif type(value) is float:
        yield from (value + 1, value - 1, -value, str(value), int(value))


def _number(schema: Any) -> st.SearchStrategy[Any]:
    bounds = [
        schema[name] for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if name in schema
    ]
    steps = [bound + step for bound in bounds or [0] for step in (-1, 0, 1, 2)]
    if schema["type"] == "integer":
        return st.sampled_from([int(one) for one in steps]) | st.integers(-3, 6)
    return st.sampled_from([*steps, 0.5, 1.0, 3]) | st.floats(-3, 6) | st.integers(-3, 6)


def _string(schema: Any) -> st.SearchStrategy[Any]:
    if "pattern" in schema:
        return st.from_regex(re.compile(schema["pattern"])) | _text
    least = schema.get("minLength", 0)
    most = max(least, min(schema.get("maxLength", least + 3), least + 3))
    return st.text(st.sampled_from("abé😀\n"), min_size=least, max_size=most)


def _array(schema: Any) -> st.SearchStrategy[Any]:
    least = schema.get("minItems", 0)
    return st.lists(fitting(schema["items"]), min_size=least, max_size=max(least, min(schema.get("maxItems", 3), 3)))


@st.composite
def _object(draw: Draw, schema: Any) -> Any:
    properties = schema.get("properties")
    if properties is None:
        inside = schema.get("additionalProperties")
        values = _any if inside is None else fitting(inside)
        return draw(st.dictionaries(_key, values, min_size=schema.get("minProperties", 0), max_size=3))
    required = schema.get("required", [])
    return {name: draw(fitting(one)) for name, one in properties.items() if name in required or draw(st.booleans())}


_BY_TYPE: dict[str, Callable[[Any], st.SearchStrategy[Any]]] = {
    "integer": _number,
    "number": _number,
    "string": _string,
    "array": _array,
    "object": _object,
    "boolean": lambda _: st.booleans(),
    "null": lambda _: st.none(),
}
