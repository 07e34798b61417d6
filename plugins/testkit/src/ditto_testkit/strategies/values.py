"""JSON values, and values that only look like JSON."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from .texts import texts

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, -1, 2**53 + 1, 2**63, 10**400, -(10**400)])
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts(max_size=20)
)


def json_values(*, max_leaves: int = 12) -> st.SearchStrategy[Any]:
    """Give JSON values of every kind: large integers, nasty text, nested containers."""
    return st.recursive(
        _scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts(max_size=10), inner, max_size=4),
        max_leaves=max_leaves,
    )


def json_objects(*, max_leaves: int = 12) -> st.SearchStrategy[dict[str, Any]]:
    """Give JSON objects."""
    return st.dictionaries(texts(max_size=10), json_values(max_leaves=max_leaves), max_size=4)


class _Number(enum.IntEnum):
    ONE = 1


class _Text(str):
    __slots__ = ()


def _cycle() -> Any:
    loop: list[Any] = []
    loop.append(loop)
    return loop


def _deep() -> Any:
    value: Any = []
    for _ in range(2_000):
        value = [value]
    return value


_HOSTILE: dict[str, Callable[[], Any]] = {
    "NaN": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "an integer of 4301 digits": lambda: 10**4300,
    "a lone surrogate": lambda: "a\ud800",
    "a key that is an integer": lambda: {1: "a"},
    "a tuple": lambda: (1, 2),
    "a set": lambda: {1},
    "bytes": lambda: b"a",
    "a date": lambda: dt.date(2026, 1, 1),
    "a Decimal": lambda: decimal.Decimal(1),
    "an IntEnum": lambda: _Number.ONE,
    "a subclass of str": lambda: _Text("a"),
    "an OrderedDict": lambda: OrderedDict(a=1),
    "a mapping proxy": lambda: types.MappingProxyType({"a": 1}),
    "an exception": lambda: ValueError("a"),
    "an object": object,
    "a list in itself": _cycle,
    "2000 lists in each other": _deep,
}


def hostile_values() -> st.SearchStrategy[Any]:
    """Give values that are no JSON and that no entrance may let through; each draw makes a new one."""
    return st.sampled_from(sorted(_HOSTILE)).map(lambda name: _HOSTILE[name]())
