"""Print the table of speed: each row beside its floor, as a ratio taken within this run, with its budget and goal.

``python -m tests.benchmarks.run``, in an environment that has the distributions: ``--quick`` to see that it works,
``--json`` for machines, ``--check`` to fail over budget, ``--only NAME`` for some of the rows, ``--why`` for where the
import's time goes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
from collections.abc import Sequence
from typing import Final

import attrs

from . import (
    calls,
    commands,
    graphs,
    imports,
    local_search,
    mcp_connections,
    mcp_registry,
    registration,
    searching,
    terminal,
    values,
)
from .harness import FULL, QUICK, Row

MEASUREMENTS: Final = {
    "call": calls.one_by_one,
    "at once": calls.at_once,
    "at a time": calls.few_at_a_time,
    "graph": graphs.per_node,
    "graph at once": graphs.at_once,
    "graph at a time": graphs.few_at_a_time,
    "result": values.large_result,
    "import": imports.cold_import,
    "flood": commands.flood,
    "command": commands.one_small_call,
    "register": registration.many_tools,
    "local search": local_search.many_files,
    "web search": searching.above_the_provider,
    "mcp call": mcp_registry.one_call,
    "mcp discovery": mcp_registry.many_tools,
    "terminal": terminal.first_answer,
    "sdk call": mcp_connections.one_call,
    "sdk discovery": mcp_connections.many_tools,
}


def main() -> int:
    """Measure, print, and return the exit status."""
    options = _options()
    if options.why:
        print(*imports.slowest(), sep="\n")
        return 0
    effort = QUICK if options.quick else FULL
    chosen = [measure for name, measure in MEASUREMENTS.items() if options.only in ("", name)]
    rows = [row for measure in chosen for row in asyncio.run(measure(effort))]
    loaded = imports.loaded()
    grown = commands.growth()
    machine = f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"
    if options.json:
        data = {"rows": [_data(row) for row in rows], "loaded": attrs.asdict(loaded), "grown": grown}
        print(json.dumps({"machine": machine, **data}))
    else:
        print(*_table(rows), "", _loaded(loaded), _grown(grown), f"{machine}.", sep="\n")
    failed = bool(loaded.heavy) or grown > commands.MAX_GROWTH or any(row.is_over_budget for row in rows)
    return 1 if options.check and failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few and short rounds, only to see that it works")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a row is over its budget")
    parser.add_argument("--only", choices=MEASUREMENTS, default="", help="some of the rows")
    parser.add_argument("--why", action="store_true", help="only list the modules that the import spends its time in")
    return parser.parse_args()


def _data(row: Row) -> dict[str, object]:
    return {**attrs.asdict(row), "verdict": row.verdict}


def _table(rows: Sequence[Row]) -> list[str]:
    heads = ["what", "time", "ratio", "budget", "goal", "verdict", "floor", "its time"]
    lines = [
        [
            row.what,
            _time(row.seconds),
            f"{row.ratio:.2f}",
            f"{row.budget:g}",
            f"{row.goal:g}",
            row.verdict,
            row.floor,
            _time(row.floor_seconds),
        ]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    dashes = ["-" * width for width in widths]
    return [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in (heads, dashes, *lines)
    ]


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.2f} µs"


def _loaded(loaded: imports.Loaded) -> str:
    others = ", ".join(name for name in imports.HEAVY if name not in loaded.heavy)
    found = f"{', '.join(loaded.heavy)} among them" if loaded.heavy else f"none of {others}"
    return f"The quickstart's imports load {loaded.count} modules more than the floor's, {found}."


def _grown(grown: int) -> str:
    return (
        f"A command that prints 1 GB lets the peak of memory grow by {grown // 1024} KiB "
        f"(budget {commands.MAX_GROWTH // 1024})."
    )


if __name__ == "__main__":
    sys.exit(main())
