"""What commands may cost is measured, against the budgets of the specification."""

from __future__ import annotations

import pytest

from tests.benchmarks import commands
from tests.benchmarks.harness import Effort
from tests.support import run

ONCE = Effort(rounds=1, seconds=0.001)


@pytest.mark.promise("D-SPEED-06")
def test_the_benchmarks_measure_a_flood_and_a_small_command_within_their_budgets() -> None:
    (flood,) = run(commands.flood(ONCE), timeout=60)
    (small,) = run(commands.one_small_call(ONCE), timeout=60)
    assert (flood.what, flood.budget, small.budget) == ("a command that prints 1 GB, 64 KiB kept", 2, 1.5)


@pytest.mark.promise("D-SPEED-06")
def test_a_flood_lets_memory_grow_by_less_than_a_mebibyte() -> None:
    assert commands.growth() <= commands.MAX_GROWTH == 1_048_576
