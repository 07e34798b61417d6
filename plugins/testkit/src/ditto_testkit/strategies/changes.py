"""One step away from a value: what a model, a bug or an attacker gives instead of right arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

_WRONG: tuple[Any, ...] = (None, True, False, -1, 0, 10**30, 0.5, "", "a", "0", [], {}, ["a"], [0], {"a": 1})
_TAILS = ("\n", "\x00", "\u2028", "/../x", "\\", "a" * 1_100)
_HEADS = ("/", "../", "./../", "-", "\x00", "C:", " ")


@st.composite
def changed(draw: st.DrawFn, value: Any, rare: tuple[Any, ...] = ()) -> Any:
    """Give `value` with one change, at the root or in a part of it; `rare` are more values to put in."""
    if type(value) is dict and value and draw(st.integers(0, 3)):
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: draw(changed(value[name], rare))}
    if type(value) is list and value and draw(st.booleans()):
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], draw(changed(value[index], rare)), *value[index + 1 :]]
    return draw(st.sampled_from([*_steps(value), *_WRONG, *rare]))


def _steps(value: Any) -> list[Any]:
    if type(value) is dict:
        dropped = [{key: item for key, item in value.items() if key != name} for name in value]
        return [*dropped, {**value, "unknown": 1}, {**value, "": None}, list(value)] * 2
    if type(value) is list:
        return [[], value[1:], value + value, value * 20, [*value, None], value[0] if value else 0, {"0": value}] * 2
    if type(value) is str:
        long = value + (value[-1:] or "a") * 2_000
        shorter = [value[1:], value[:-1], ""]
        tails, heads = [value + tail for tail in _TAILS], [head + value for head in _HEADS]
        return [*shorter, long, *tails, *heads, value.swapcase()]
    if type(value) is bool or value is None:
        return [int(bool(value)), str(value).lower(), [value]] * 2
    if type(value) is int or type(value) is float:
        half = value + 0.5 if abs(value) < 2**50 else 0.5
        return [value + 1, value - 1, -value, value * 1_000, value == 1, str(value), [value], half]
    return []


def each_change(value: Any, depth: int = 2) -> Iterator[Any]:
    """Give `value` with each change that :func:`changed` knows, at the root and as deep as `depth` levels inside."""
    yield from _steps(value)
    if depth and type(value) is dict:
        for name, item in value.items():
            for other in (*each_change(item, depth - 1), *_WRONG):
                yield {**value, name: other}
    elif depth and type(value) is list and value:
        for other in (*each_change(value[0], depth - 1), *_WRONG):
            yield [other, *value[1:]]
