"""How ``grep`` takes files and prints lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

BATCH: Final = 16
"""How many files one search takes."""


def batches(paths: list[str]) -> Iterator[list[str]]:
    """Give the files as many at a time as a search takes; one with a colon comes alone.

    ``grep`` puts a colon between name, number and text, and no name before the lines of a single file.
    """
    plain = [path for path in paths if ":" not in path]
    for start in range(0, len(plain), BATCH):
        yield plain[start : start + BATCH]
    for path in paths:
        if ":" in path:
            yield [path]


def matches(output: str, paths: list[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the lines that ``grep`` printed, by file, each with its number; one that was cut is left out."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in output.split("\n")[:-1]:
        path, _, rest = (paths[0], "", row) if len(paths) == 1 else row.partition(":")
        number, _, text = rest.partition(":")
        if number.isdecimal():  # older greps print here that a binary file matches
            found[path].append((int(number), text))
    return found
