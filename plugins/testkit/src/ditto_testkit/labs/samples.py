"""A few values of a strategy, the same each time: what is tried with each of them is no matter of chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

DRAWN: Final = 40
"""How many values are drawn to choose from."""
KEPT: Final = 5
"""How many of them are kept."""


def some(strategy: st.SearchStrategy[Any], count: int = DRAWN) -> list[Any]:
    """Return up to `count` values of the strategy, none where it has none; raises what drawing raises."""
    drawn: list[Any] = []

    @settings(
        max_examples=count,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(value: Any) -> None:
        drawn.append(value)

    try:
        draw()
    except Unsatisfiable:
        return []
    return drawn


def telling(values: Iterable[Any]) -> list[Any]:
    """Return the first value and those that have something that none before has: a member, a flag, a longer list."""
    known: set[object] = set()
    kept: list[Any] = []
    for value in values:
        new = set(_features(value)) - known
        if (new or not kept) and len(kept) < KEPT:
            known |= new
            kept.append(value)
    return kept


def _features(value: Any, here: tuple[str, ...] = ()) -> Iterator[object]:
    if type(value) is dict:
        for key, item in value.items():
            yield from _features(item, (*here, key))
    elif type(value) is list:
        yield (*here, min(len(value), 2))
        for item in value:
            yield from _features(item, (*here, "[]"))
    else:
        yield (*here, value if type(value) is bool else type(value).__name__)
