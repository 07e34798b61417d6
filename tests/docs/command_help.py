"""The help of every command, as the guide shows it: ``python -m tests.docs.command_help`` writes it anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from ditto_terminal.app import app
from tests.support.project import ROOT

FILE = ROOT / "docs/examples/terminal/help.txt"
AS_IN_THE_GUIDE = {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1", "TERM": "dumb"}


def commands(command: Any = None, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Give the words of each command, groups before what is in them."""
    command = get_command(app) if command is None else command
    yield words
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*words, name))


def help_of(words: tuple[str, ...]) -> str:
    """Give what ``--help`` shows for a command, in a terminal of 100 columns without colours."""
    result = CliRunner().invoke(app, [*words, "--help"], env=AS_IN_THE_GUIDE, prog_name="ditto")
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    return "\n".join(lines).strip("\n")


def help_texts() -> str:
    """Give all of them, each under the line that asks for it."""
    return "\n\n".join(f"$ ditto {' '.join((*words, '--help'))}\n{help_of(words)}" for words in commands()) + "\n"


def main(file: Path = FILE) -> None:
    """Write the file that the guide includes."""
    file.write_text(help_texts(), encoding="utf-8")


if __name__ == "__main__":
    main()
