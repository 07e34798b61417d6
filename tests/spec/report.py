"""The manifest beside the tests: what is wrong between them, and how much is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import attrs

from tests.spec.manifest import AHEAD, HERE, Entry, cases, promises
from tests.spec.marks import Kind, collect

TESTS = HERE.parent


def entries() -> dict[Kind, Mapping[str, Entry]]:
    """Read the manifest; raises ``ManifestError``."""
    return {"promise": promises(), "case": cases()}


@attrs.frozen
class Gaps:
    """Where manifest and tests disagree; each is a list of lines for a reader."""

    untested: list[str]
    unknown: list[str]
    early: list[str]


def gaps(known: Mapping[str, Entry], shown: Mapping[str, tuple[str, ...]]) -> Gaps:
    """Compare the entries with the marked tests, in both directions."""
    built = {name for name, entry in known.items() if entry.status == "built"}
    return Gaps(
        untested=[f"{name}: {entry.text}" for name, entry in known.items() if name in built - shown.keys()],
        unknown=[f"{name}: {', '.join(tests)}" for name, tests in sorted(shown.items()) if name not in known],
        early=[
            f"{name}: now built: change its status; shown by {', '.join(tests)}"
            for name, tests in sorted(shown.items())
            if name in known.keys() - built
        ],
    )


def summary() -> Iterator[str]:
    """Say in a line for each kind what is built and what is planned."""
    for kind, known in entries().items():
        yield f"specification: {len(known)} {kind}s, {_built(known.values())} built, {_planned(known.values())}"


def counts() -> Iterator[str]:
    """Give the lines of a table: for each area how many entries are built, and how many planned for what."""
    for kind, known in entries().items():
        areas: dict[str, list[Entry]] = {}
        for entry in known.values():
            areas.setdefault(entry.area.replace("_", " "), []).append(entry)
        yield f"{kind + 's':<20} built  planned"
        for area, chosen in [*areas.items(), ("all", list(known.values()))]:
            yield f"  {area:<18} {_built(chosen):>5}  {_planned(chosen)}"
        yield ""


def listing() -> Iterator[str]:
    """Give each id with its status, its text and the tests that show it."""
    marks = collect(TESTS)
    for kind, known in entries().items():
        for name, entry in known.items():
            yield f"{name} ({f'planned for {entry.planned_for}' if entry.planned_for else 'built'}) {entry.text}"
            yield from (f"    {test}" for test in marks.tests[kind].get(name, ()))


def _built(chosen: Collection[Entry]) -> int:
    return sum(entry.status == "built" for entry in chosen)


def _planned(chosen: Collection[Entry]) -> str:
    ahead = Counter(entry.planned_for for entry in chosen if entry.planned_for)
    waits = ", ".join(f"{part} {ahead[part]}" for part in AHEAD if part in ahead)
    return f"{ahead.total()} planned ({waits})" if ahead else "0 planned"
