"""What the pages show is a file that runs, and where they lead there is something."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import DOCS, Fence, fences, names, page
from tests.support.project import ROOT

LONGEST = 3
"""How many lines of Python a page may hold itself; more has to be a file that is included."""

TEMPLATE = "../plugins/terminal/src/ditto_terminal/template/pack/"
"""A new pack, which a page shows too: what its author sees is what is explained."""

ALL = {name: fences(page(name)) for name in names()}


@pytest.mark.promise("D-QUAL-07")
@pytest.mark.parametrize("name", ALL)
def test_a_page_includes_its_examples_and_holds_none_itself(name: str) -> None:
    pasted = [fence for fence in ALL[name] if re.match(r"\{?(code|code-block|ipython|py|python|pycon)\b", fence.info)]
    assert [fence for fence in pasted if len(fence.lines) > LONGEST] == []


@pytest.mark.promise("D-QUAL-07")
def test_what_is_included_is_an_example_or_a_part_of_a_new_pack() -> None:
    assert [path for path in included() if not (DOCS / path).is_file()] == []
    assert [path for path in included() if not path.startswith(("examples/", TEMPLATE))] == []


@pytest.mark.promise("D-QUAL-07")
def test_every_example_and_what_it_prints_is_shown_on_some_page() -> None:
    examples = {path.relative_to(DOCS).as_posix() for path in (DOCS / "examples").glob("*.*")}
    assert examples <= included()


def test_every_page_is_in_a_table_of_contents() -> None:
    listed = set()
    for name in names():
        folder = name.rpartition("/")[0]
        lines = [line for fence in ALL[name] if fence.info == "{toctree}" for line in fence.lines]
        listed |= {f"{folder}/{line}.md".removeprefix("/") for line in lines if re.fullmatch(r"[\w/-]+", line)}
    assert listed | {"index.md"} == set(names())


def test_the_sources_that_a_page_names_exist() -> None:
    missing = [
        (name, path)
        for name in names()
        for path in re.findall(r"`((?:core|docs|plugins|tests)/[\w./-]+)`", page(name))
        if not (ROOT / path).exists()
    ]
    assert missing == []


def included() -> set[str]:
    """Give what the pages include, from the folder of the documentation on."""
    return {path for fences in ALL.values() for path in map(path_of, fences) if path}


def path_of(fence: Fence) -> str:
    found = re.fullmatch(r"\{literalinclude\} (.+)", fence.info)
    return found[1] if found else ""
