"""The benchmarks hold every budget of the design; how fast things are is measured, not tested."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

BUDGETS: dict[str, list[tuple[float, float]]] = {
    "searching.py": [(110, 100)],
    "calls.py": [(14, 8), (28, 16), (3, 2), (2.3, 1.7)],
    "graphs.py": [(3, 2), (3, 2), (2.3, 1.7)],
    "values.py": [(0.85, 0.6)],
    "imports.py": [(1.6, 1.25)],
    "registration.py": [(60, 30)],
    "mcp_registry.py": [(14, 8), (4, 2.5)],
    "mcp_connections.py": [(1.5, 1.25), (1.2, 1.1)],
    "commands.py": [(2, 1.4), (1.5, 1.3)],
    "local_search.py": [(1, 0.5)],
    "terminal.py": [(1.3, 1.15)],
}


@pytest.mark.parametrize("name", BUDGETS)
@pytest.mark.promise("D-SPEED-01", "D-SPEED-02", "D-SPEED-03", "D-SPEED-04", "D-SPEED-05", "D-SPEED-07")
def test_each_row_is_held_against_the_budget_and_the_goal_of_the_design(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
    found = [
        tuple(ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg in ("budget", "goal"))
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and any(keyword.arg == "budget" for keyword in call.keywords)
    ]
    assert sorted(found) == sorted(BUDGETS[name])


@pytest.mark.promise("D-SPEED-09")
def test_the_session_measures_on_the_lowest_and_the_highest_python() -> None:
    source = (Path(__file__).parents[2] / "noxfile.py").read_text(encoding="utf-8")
    assert "FOUND[0]" in source
    assert "FOUND[-1]" in source
