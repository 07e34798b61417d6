"""JSON values near a schema: most fit it, many miss it by one step, some are hostile."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.support.arguments import HOSTILE

Draw = Callable[[st.SearchStrategy[Any]], Any]

_text = st.text(st.sampled_from("abxé😀\n5 "), max_size=4)
_key = st.text(st.sampled_from("abA\n"), max_size=2)
_any = st.recursive(st.sampled_from(HOSTILE), lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_key, inner, max_size=2))


def near(schema: Any) -> st.SearchStrategy[Any]:
    """Give values near `schema`: about a third are changed in one place."""
    return st.one_of(fitting(schema), fitting(schema), fitting(schema).flatmap(lambda value: _changed(value)))


def fitting(schema: Any) -> st.SearchStrategy[Any]:
    """Give values that fit `schema` in its types, and in most of its other rules."""
    if "anyOf" in schema:
        return st.one_of([fitting(one) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if kind is None:
        return _any
    return _BY_TYPE[kind](schema)


def _number(schema: Any) -> st.SearchStrategy[Any]:
    bounds = [schema[name] for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if name in schema]
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
        return draw(st.dictionaries(_key, _any if inside is None else fitting(inside), min_size=schema.get("minProperties", 0), max_size=3))
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


@st.composite
def _changed(draw: Draw, value: Any) -> Any:
    """Give the value with one change: at the root, or in a part of it."""
    inside = draw(st.integers(0, 3)) > 0
    if type(value) is dict and value and inside:
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: draw(_changed(value[name]))}
    if type(value) is list and value and inside:
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], draw(_changed(value[index])), *value[index + 1 :]]
    steps: list[Any] = [draw(st.sampled_from(HOSTILE))]
    if type(value) is dict:
        steps += [{**value, draw(_key): draw(st.sampled_from(HOSTILE))}, dict(list(value.items())[1:]), list(value)]
    elif type(value) is list:
        steps += [[*value, draw(st.sampled_from(HOSTILE))], value[1:], value + value, {"0": value}]
    elif type(value) is str:
        steps += [value + "\n", value + "a", value[1:], [value], value.upper()]
    elif type(value) is bool or value is None:
        steps += [int(value or 0), str(value)]
    elif type(value) is int:
        steps += [value + 1, -value, value == 1, str(value), float(value) if abs(value) < 10**15 else 0.0]
    elif type(value) is float:
        steps += [value + 1, -value, value / 2, str(value), int(value)]
    return draw(st.sampled_from(steps))
