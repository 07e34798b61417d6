"""How the benchmarks measure: what is compared runs in turns, and only ratios within one run are compared.

The machine is shared and its clock drifts, so every round runs every case once, in a new order, and a ratio is the
median, over the rounds, of a case's time divided by the floor's time in that same round.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

import attrs

Work: TypeAlias = Callable[[int], Awaitable[None]]
"""Does one operation as many times as it is told."""

FLOOR: Final = "floor"


@attrs.frozen
class Effort:
    """How many rounds are measured, and about how many seconds each case takes in a round."""

    rounds: int
    seconds: float


FULL: Final = Effort(rounds=21, seconds=0.05)
QUICK: Final = Effort(rounds=3, seconds=0.01)


@attrs.frozen(kw_only=True)
class Row:
    """One line of the table; times are seconds for one operation, `budget` and `goal` are multiples of the floor.

    `at_most` is a second budget, in seconds for one operation.
    """

    what: str
    floor: str
    budget: float
    goal: float
    seconds: float
    floor_seconds: float
    ratio: float
    at_most: float | None = None

    @property
    def verdict(self) -> str:
        """Say how the ratio stands to budget and goal."""
        if self.is_over_budget:
            return "over budget"
        return "goal met" if self.ratio <= self.goal else "within budget"

    @property
    def is_over_budget(self) -> bool:
        """Whether it takes longer than it may."""
        return self.ratio > self.budget or (self.at_most is not None and self.seconds > self.at_most)


def row(
    samples: Mapping[str, list[float]],
    case: str,
    *,
    floor: str,
    budget: float,
    goal: float,
    operations: int = 1,
    at_most: float | None = None,
) -> Row:
    """Return the line for one case of the samples, each of which timed that many operations together."""
    pairs = zip(samples[case], samples[FLOOR], strict=True)
    return Row(
        what=case,
        floor=floor,
        budget=budget,
        goal=goal,
        seconds=statistics.median(samples[case]) / operations,
        floor_seconds=statistics.median(samples[FLOOR]) / operations,
        ratio=statistics.median(ours / base for ours, base in pairs),
        at_most=at_most,
    )


async def in_turns(cases: Mapping[str, Work], effort: Effort) -> dict[str, list[float]]:
    """Return the seconds that one operation of each case took, one figure for each round."""
    times = {name: await _times_within(work, effort.seconds) for name, work in cases.items()}
    samples: dict[str, list[float]] = {name: [] for name in cases}
    for name in shuffled(cases, effort.rounds):
        gc.collect()  # what one case leaves behind must not be swept up in the time of another
        samples[name].append(await _timed(cases[name], times[name]) / times[name])
    return samples


def shuffled(cases: Mapping[str, object], rounds: int) -> list[str]:
    """Return the names round by round, each round in an order of its own, the same in every run."""
    order = random.Random(rounds)
    return [name for _ in range(rounds) for name in order.sample(list(cases), len(cases))]


async def _times_within(work: Work, seconds: float) -> int:
    """Return how often the operation can be done in about that time; at least once."""
    times = 1
    while (took := await _timed(work, times)) < seconds / 4:
        times *= 2
    return max(1, round(times * seconds / took))


async def _timed(work: Work, times: int) -> float:
    begun = time.perf_counter()
    await work(times)
    return time.perf_counter() - begun
