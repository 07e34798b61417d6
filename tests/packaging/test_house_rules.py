"""Rules that no linter knows: short files, finished work, tests that all run, and no word from elsewhere."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import pytest

from tests.support.project import ROOT, files

# A letter of each word stands in brackets, so that this file passes its own rules.
UNFINISHED = re.compile(r"\b(TOD[O]|FIXM[E]|XX[X])\b|NotImplementedErro[r]")
NOT_RUN = re.compile(r"pytest[.](ski[p]|mark[.]ski[p])|importorski[p]|skipi[f]")
FROM_ELSEWHERE = re.compile(
    r"/wor[k]/(main|shared|steering|[.]library)|/tmp/ditt[o]|[.]pyen[v]\b|subagen[t]|DEVELOPER[S]"
)

LIMIT = 400
TYPICAL = 150


@pytest.mark.promise("D-QUAL-01")
def test_no_file_is_longer_than_the_limit() -> None:
    assert {name(p): n for p in files(".py") if (n := lines(p)) > LIMIT} == {}


@pytest.mark.promise("D-QUAL-01")
def test_the_files_of_the_sources_are_short() -> None:
    sources = [p for folder in ("core/src", "plugins") for p in files(".py", below=ROOT / folder)]
    assert statistics.median(map(lines, sources)) <= TYPICAL


@pytest.mark.parametrize(
    ("words", "suffixes"),
    [
        pytest.param(UNFINISHED, (".py",), id="unfinished work"),
        pytest.param(NOT_RUN, (".py",), id="tests that do not run"),
        pytest.param(FROM_ELSEWHERE, (".py", ".md", ".toml", ".yaml", ".json", ".txt"), id="words from elsewhere"),
    ],
)
def test_words_that_must_not_appear(words: re.Pattern[str], suffixes: tuple[str, ...]) -> None:
    found = [
        f"{name(path)}:{number}: {line.strip()}"
        for path in [*files(*suffixes), ROOT / ".ci/run"]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if words.search(line)
    ]
    assert found == []


def test_only_sources_and_shared_helpers_are_packages() -> None:
    assert [name(p.parent) for p in files("__init__.py", below=ROOT / "tests")] == ["tests/support"]


def name(path: Path) -> str:
    """Give the path as a reader of the project writes it."""
    return path.relative_to(ROOT).as_posix()


def lines(path: Path) -> int:
    """Count the lines of a file."""
    return len(path.read_bytes().splitlines())
