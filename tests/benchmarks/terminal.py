"""The command line's first answer, in whole processes, beside a typer application that does the same and no more."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

from .harness import FLOOR, Effort, Row, row, shuffled

TWO_COMMANDS: Final = """
import typer
from importlib.metadata import entry_points

app = typer.Typer()

@app.command()
def plugins() -> None:
    for point in sorted(entry_points(group="ditto.plugins")):
        typer.echo(f"{point.name} {point.value}")

@app.command()
def other(name: str) -> None:
    typer.echo(name)

app()
"""
OURS: Final = "from ditto_terminal import main; main()"


async def first_answer(effort: Effort) -> list[Row]:
    """Measure ``ditto --help`` and ``ditto plugins``, from the start of the process to its end."""
    rows = []
    for word in ("--help", "plugins"):
        case = f"ditto {word}"
        sources = {FLOOR: TWO_COMMANDS, case: OURS}
        samples: dict[str, list[float]] = {name: [] for name in sources}
        for source in sources.values():
            _run(source, word)  # compiles what is not compiled yet
        for name in shuffled(sources, effort.rounds):
            begun = time.perf_counter()
            _run(sources[name], word)
            samples[name].append(time.perf_counter() - begun)
        rows.append(row(samples, case, floor=f"a typer application's {word}", budget=1.3, goal=1.15))
    return rows


def _run(source: str, word: str) -> None:
    subprocess.run([sys.executable, "-c", source, word], stdout=subprocess.DEVNULL, check=True)
