"""How long a search may take is measured, against the budget."""

from __future__ import annotations

from tests.benchmarks import local_search
from tests.benchmarks.harness import Effort
from tests.support import run


def test_the_benchmark_measures_queries_over_files_within_ten_milliseconds() -> None:
    (row,) = run(local_search.many_files(Effort(rounds=1, seconds=0.001), files=200), timeout=60)
    assert (row.what, row.at_most) == ("local search over 200 files", 0.010)
    assert local_search.FILES == 8_000
