"""The promises about the guide: phrases that ``guide.toml`` names stand on their page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.spec.manifest import HERE, tables
from tests.spec.marks import collect
from tests.support.project import ROOT

GUIDE = dict(tables(HERE / "guide.toml"))


@pytest.mark.promise(
    "CMD-22",
    "CTX-06",
    "CTX-07",
    "D-CMD-04",
    "D-SBX-01",
    "D-WEB-07",
    "OUT-11",
    "RUN-04",
    "SBX-02",
    "SDK-14",
    "SDK-15",
    "TOOL-16",
    "UND-29",
)
@pytest.mark.parametrize("name", GUIDE)
def test_the_guide_says_what_is_promised(name: str) -> None:
    said = plain(read(GUIDE[name]))
    missing = [phrase for phrase in GUIDE[name]["phrases"] if plain(phrase) not in said]
    assert not missing, f"{name}: docs/{GUIDE[name]['page']} does not say {missing}"


def test_the_promises_about_the_guide_are_those_of_its_table() -> None:
    shown = collect(HERE.parent).tests["promise"]
    here = f"tests/spec/{Path(__file__).name}::test_the_guide_says_what_is_promised"
    assert sorted(name for name, tests in shown.items() if here in tests) == sorted(GUIDE)


@pytest.mark.parametrize("name", GUIDE)
def test_an_entry_of_the_table_has_a_page_and_phrases(name: str) -> None:
    entry = GUIDE[name]
    assert entry.keys() <= {"page", "opening", "phrases"}
    assert entry["page"].endswith(".md")
    assert entry["phrases"]


def test_layout_and_emphasis_do_not_hide_a_phrase() -> None:
    assert plain("It **works by\n  cooperation**, for `files`.") == "it works by cooperation, for files."


def read(entry: dict[str, Any]) -> str:
    """Give the page, or only its first sentence."""
    page = ROOT / "docs" / entry["page"]
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    if not entry.get("opening", False):
        return text
    _, _, below = text.partition("\n\n")
    return re.split(r"(?<=[.!?])\s", below.strip(), maxsplit=1)[0]


def plain(text: str) -> str:
    """Take away what is layout in Markdown: line breaks, emphasis and code marks, and the case of letters."""
    return " ".join(re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", text).split()).casefold()
