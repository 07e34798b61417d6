"""Manifest and tests agree, in both directions."""

from __future__ import annotations

import pytest

from tests.spec.manifest import Promise
from tests.spec.marks import KINDS, Kind, collect
from tests.spec.report import TESTS, Gaps, counts, entries, gaps, listing, summary

MARKS = collect(TESTS)
ENTRIES = entries()


def compared(kind: Kind) -> Gaps:
    return gaps(ENTRIES[kind], MARKS.tests[kind])


def fail_with(heading: str, lines: list[str]) -> None:
    if lines:
        pytest.fail("\n  ".join([f"{len(lines)} {heading}:", *lines]), pytrace=False)


@pytest.mark.promise("D-QUAL-04")
@pytest.mark.parametrize("kind", KINDS)
def test_everything_built_has_a_test(kind: Kind) -> None:
    fail_with(f"built without a test that is marked with the {kind}", compared(kind).untested)


@pytest.mark.promise("D-QUAL-04")
@pytest.mark.parametrize("kind", KINDS)
def test_every_mark_names_an_entry(kind: Kind) -> None:
    fail_with(f"marked ids that no {kind} has", compared(kind).unknown)


@pytest.mark.promise("D-QUAL-04")
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_planned_has_a_test(kind: Kind) -> None:
    fail_with(f"planned, and yet shown by a test of this {kind}", compared(kind).early)


@pytest.mark.promise("D-QUAL-04")
def test_every_mark_can_be_read_and_belongs_to_a_test() -> None:
    fail_with("marks that are written wrongly", list(MARKS.mistakes))


@pytest.mark.parametrize("kind", KINDS)
def test_no_sentence_stands_twice(kind: Kind) -> None:
    texts = [entry.text for entry in ENTRIES[kind].values()]
    assert sorted(texts) == sorted(set(texts))


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_ends_like_one(kind: Kind) -> None:
    assert [name for name, entry in ENTRIES[kind].items() if not entry.text.endswith(".")] == []


def test_gaps_are_found_in_both_directions() -> None:
    known = {
        name: Promise(id=name, area="a", source="§1", text="Something holds always.", status=status, planned_for=part)
        for name, status, part in [("A-01", "built", None), ("A-02", "built", None), ("A-03", "planned", "mcp")]
    }
    shown = {"A-01": ("tests/test_a.py::test_a",), "A-03": ("tests/test_a.py::test_b",), "A-04": ("x::y",)}
    found = gaps(known, shown)
    assert found.untested == ["A-02: Something holds always."]
    assert found.unknown == ["A-04: x::y"]
    assert found.early == ["A-03: now built: change its status; shown by tests/test_a.py::test_b"]


@pytest.mark.promise("D-QUAL-04")
def test_what_is_planned_is_counted_and_shown() -> None:
    lines, table, listed = ("\n".join(show()) for show in (summary, counts, listing))
    for known in ENTRIES.values():
        planned = sum(entry.status == "planned" for entry in known.values())
        assert f"{len(known) - planned} built, {planned} planned" in lines
        assert f" {len(known) - planned}  {planned} planned" in table
        assert all(f"{name} (" in listed for name in known)
