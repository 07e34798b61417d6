"""Strings and numbers that fit the keywords of a schema, its boundaries among them."""

from __future__ import annotations

import math
import re
from typing import Any

from hypothesis import strategies as st

from ditto_core import JsonObject

from .texts import NASTY, texts

MOST_MADE = 40
"""How long a string is made beyond its least length, unless the boundary itself is tried."""
LONGEST_BOUNDARY = 4_096
"""Up to which ``maxLength`` a string of exactly that length is tried."""


def strings(schema: JsonObject) -> st.SearchStrategy[Any]:
    """Give strings; what pattern and lengths together ask for may be missed and is judged afterwards."""
    least, most = _lengths(schema)
    pattern: Any = schema.get("pattern")
    if pattern is not None:
        expression = re.compile(pattern)
        made = st.from_regex(expression).filter(_can_be_written)
        known = [text for text in NASTY if expression.search(text) and least <= len(text) <= (most or len(text))]
        return made | st.sampled_from(known) if known else made  # known ones are nasty, and quick to draw
    if most is not None and most < least:
        return st.nothing()
    top = least + MOST_MADE if most is None else min(most, least + MOST_MADE)
    made = texts(min_size=least, max_size=top)
    edges = sorted({length for length in (least, most) if length is not None and length <= LONGEST_BOUNDARY})
    return made | st.sampled_from(edges).map(lambda length: "a" * length) if edges else made


def _lengths(schema: JsonObject) -> tuple[int, int | None]:
    least: Any = schema.get("minLength", 0)
    most: Any = schema.get("maxLength")
    return int(least), None if most is None else int(most)


def _can_be_written(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def integers(schema: JsonObject) -> st.SearchStrategy[Any]:
    """Give integers within the bounds, often at them; each is an ``int``."""
    least, most = _integer_bounds(schema)
    step: Any = schema.get("multipleOf")
    if type(step) is int:
        low = None if least is None else -(-least // step)
        high = None if most is None else most // step
        return _between(low, high).map(lambda number: number * step)
    return _between(least, most)


def _between(least: int | None, most: int | None) -> st.SearchStrategy[Any]:
    if least is not None and most is not None and least > most:
        return st.nothing()
    edges = [bound for bound in (least, most) if bound is not None]
    made = st.integers(min_value=least, max_value=most)
    return made | st.sampled_from(edges) if edges else made


def _integer_bounds(schema: JsonObject) -> tuple[int | None, int | None]:
    low: list[Any] = [math.ceil(bound) for bound in _bounds(schema, "minimum")]
    low += [math.floor(bound) + 1 for bound in _bounds(schema, "exclusiveMinimum")]
    high: list[Any] = [math.floor(bound) for bound in _bounds(schema, "maximum")]
    high += [math.ceil(bound) - 1 for bound in _bounds(schema, "exclusiveMaximum")]
    return max(low, default=None), min(high, default=None)


def _bounds(schema: JsonObject, keyword: str) -> list[Any]:
    return [schema[keyword]] if keyword in schema else []


def numbers(schema: JsonObject) -> st.SearchStrategy[Any]:
    """Give integers and finite floats within the bounds."""
    low = [*_bounds(schema, "minimum"), *_bounds(schema, "exclusiveMinimum")]
    high = [*_bounds(schema, "maximum"), *_bounds(schema, "exclusiveMaximum")]
    least, most = max(low, default=None), min(high, default=None)
    floats = (
        st.floats(
            min_value=_float(least, up=True), max_value=_float(most, up=False), allow_nan=False, allow_infinity=False
        )
        if _floats_between(least, most)
        else st.nothing()
    )
    if "multipleOf" in schema:
        step: Any = schema["multipleOf"]
        return integers(schema) | st.integers(-100, 100).map(lambda number: number * step)
    return integers(schema) | floats


def _floats_between(least: Any, most: Any) -> bool:
    low, high = _float(least, up=True), _float(most, up=False)
    return low is None or high is None or low <= high


def _float(bound: Any, *, up: bool) -> float | None:
    """Return the float at the bound, or the next one inside of it; a bound that no float reaches is none."""
    if bound is None:
        return None
    try:
        near = float(bound)
    except OverflowError:
        return None
    inside = near >= bound if up else near <= bound
    return near if inside else math.nextafter(near, math.inf if up else -math.inf)
