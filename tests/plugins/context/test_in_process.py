"""What is particular to the store in the process: it forgets, by time and by size."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_context import InProcessContextStore
from ditto_core import InvalidValue


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_context_expires_after_its_last_write() -> None:
    async def main() -> None:
        clock = Clock()
        store = InProcessContextStore(ttl=10, clock=clock)
        first = await store.compare_and_set("k", None, "1")
        clock.now = 9.9
        assert await store.get("k")
        second = await store.compare_and_set("k", first, "2")
        clock.now = 19.8
        assert await store.get("k")  # which does not prolong it
        clock.now = 19.9
        assert await store.get("k") is None
        assert await store.compare_and_set("k", second, "3") is None
        assert await store.compare_and_set("k", None, "3")

    asyncio.run(main())


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdef"), st.integers(0, 9)), max_size=30))
def test_the_least_recently_used_are_dropped_first(steps: list[tuple[bool, str, int]]) -> None:
    async def main() -> None:
        store = InProcessContextStore(max_scopes=3, max_bytes=20)
        model: dict[str, str] = {}
        for writes, key, size in steps:
            held = await store.get(key)
            assert (held.state if held else None) == model.get(key)
            if held:
                model[key] = model.pop(key)
            if writes:
                assert await store.compare_and_set(key, held.version if held else None, "x" * size)
                model.pop(key, None)
                model[key] = "x" * size
                while len(model) > 3 or sum(map(len, model.values())) > 20:
                    del model[next(iter(model))]

    asyncio.run(main())


def test_one_that_is_larger_than_all_together_may_be_is_kept_alone() -> None:
    async def main() -> None:
        store = InProcessContextStore(max_bytes=2)
        await store.compare_and_set("a", None, "1")
        await store.compare_and_set("b", None, "12345")
        assert await store.get("a") is None
        assert await store.get("b")

    asyncio.run(main())


@pytest.mark.parametrize(
    "wrong",
    [
        {"ttl": 0},
        {"ttl": float("nan")},
        {"ttl": True},
        {"ttl": 2_147_483.648},
        {"max_scopes": 0},
        {"max_bytes": 1.5},
    ],
)
def test_wrong_bounds_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        InProcessContextStore(**wrong)
