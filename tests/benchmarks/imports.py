"""Importing Ditto's names as the quickstart does, in new interpreters, beside the libraries that the core needs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from .harness import FLOOR, Effort, Row, row, shuffled

QUICKSTART: Final = Path(__file__).parents[2] / "docs/examples/quickstart.py"
LIBRARIES: Final = "import asyncio, attrs, cattrs, pluggy"
HEAVY: Final = ("mcp", "httpx", "pydantic", "jsonschema", "structlog", "importlib.metadata")
"""What nobody pays for by importing the core: it is needed later, rarely, or by others."""

_LOADED: Final = "import sys; print(*sys.modules)"


@attrs.frozen(kw_only=True)
class Loaded:
    """Which modules the quickstart's imports load beyond those of the libraries: their number, and the heavy ones."""

    count: int
    heavy: tuple[str, ...]


def quickstart() -> str:
    """Return as one line the statements with which the quickstart imports Ditto's names."""
    body = ast.parse(QUICKSTART.read_text(encoding="utf-8")).body
    imports = [node for node in body if isinstance(node, ast.ImportFrom) and str(node.module).startswith("ditto_")]
    return "; ".join(map(ast.unparse, imports))


async def cold_import(effort: Effort) -> list[Row]:
    """Measure whole processes, from their start to their end, each of which imports once."""
    case = "the quickstart's names imported"
    statements = {FLOOR: LIBRARIES, case: quickstart()}
    samples: dict[str, list[float]] = {name: [] for name in statements}
    for statement in statements.values():
        _run(statement)  # compiles what is not compiled yet
    for name in shuffled(statements, effort.rounds):
        begun = time.perf_counter()
        _run(statements[name])
        samples[name].append(time.perf_counter() - begun)
    return [row(samples, case, floor=LIBRARIES, budget=1.6, goal=1.25)]


def loaded() -> Loaded:
    """Count what the quickstart's imports load beyond those of the libraries."""
    extra = set(_run(f"{quickstart()}; {_LOADED}").split()) - set(_run(f"{LIBRARIES}; {_LOADED}").split())
    return Loaded(count=len(extra), heavy=tuple(name for name in HEAVY if name in extra))


def slowest(most: int = 25) -> Iterator[str]:
    """Give the modules beyond those of the libraries that take longest by themselves, with their microseconds."""
    libraries = _times(LIBRARIES)
    extra = {name: time for name, time in _times(quickstart()).items() if name not in libraries}
    yield f"{sum(extra.values()):>8,} µs in {len(extra)} modules"
    for name in sorted(extra, key=extra.__getitem__, reverse=True)[:most]:
        yield f"{extra[name]:>8,} µs {name}"


def _times(statement: str) -> dict[str, int]:
    """Return the microseconds that each module took without those that it imports."""
    found = re.finditer(r"^import time: +(\d+) \| +\d+ \| +(\S+)$", _run(statement, "-X", "importtime"), re.MULTILINE)
    return {match[2]: int(match[1]) for match in found}


def _run(statement: str, *options: str) -> str:
    """Run a statement in a new interpreter and return what it and the interpreter have printed."""
    command = [sys.executable, *options, "-c", statement]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, text=True).stdout
