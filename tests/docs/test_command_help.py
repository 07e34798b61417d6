"""What the guide says of the command is what the command says."""

from __future__ import annotations

import re

import pytest

from ditto_terminal.exits import Exit
from tests.docs.command_help import FILE, commands, help_texts
from tests.support.project import ROOT

PAGE = (ROOT / "docs/cli.md").read_text(encoding="utf-8")


@pytest.mark.promise("D-QUAL-07b")
def test_the_guide_shows_the_help_of_every_command() -> None:
    assert FILE.read_text(encoding="utf-8") == help_texts(), "write it anew: python -m tests.docs.command_help"


def test_every_command_has_an_example() -> None:
    texts = re.split(r"^\$ ditto (.*) ?--help$", help_texts(), flags=re.MULTILINE)
    shown = {tuple(words.split()): text for words, text in zip(texts[1::2], texts[2::2], strict=True)}
    groups = {words[:-1] for words in commands()}
    assert [words for words, text in shown.items() if words not in groups and "Example: ditto" not in text] == []


def test_the_table_of_exit_statuses_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", PAGE, re.MULTILINE)
    assert [(int(number), name) for number, name in rows] == [(int(one), one.name.lower()) for one in Exit]
