"""The first page has a short program, and the table of speed that the README has."""

from __future__ import annotations

import re

from tests.docs.pages import DOCS, page
from tests.support.project import ROOT

PAGE = page("index.md")
LINES = 20
"""How many lines the first program may have, without the empty ones."""


def test_the_first_program_has_twenty_lines() -> None:
    lines = (DOCS / "examples/hello.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line]) <= LINES


def test_the_table_of_speed_is_that_of_the_readme() -> None:
    (included,) = re.findall(
        r"^```\{include\} (.*)\n:start-after: \"(.*)\"\n:end-before: \"(.*)\"\n```$", PAGE, re.MULTILINE
    )
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert included[0] == "../README.md"
    assert all(readme.count(mark) == 1 for mark in included[1:])
    assert "| what | Python" in readme.split(included[1])[1].split(included[2])[0]
