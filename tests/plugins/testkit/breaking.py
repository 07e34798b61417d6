"""Where the broken packs are registered, and how broken plugins of every kind are tried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ditto_testkit import Outcome, ToolPack

BROKEN: dict[str, Callable[[], ToolPack]] = {}
"""By the id of the check that has to fail, and what it is that is broken."""


def breaks(id: str) -> Callable[[Callable[[], ToolPack]], Callable[[], ToolPack]]:
    """Register the pack that the function makes; the first of each check has to fail that check and no other."""

    def register(function: Callable[[], ToolPack]) -> Callable[[], ToolPack]:
        BROKEN[f"{id} {function.__name__}"] = function
        return function

    return register


def check_of(name: str) -> str:
    """Return the id of the check that a broken one of that name has to fail."""
    return name.partition(" ")[0]


def chosen(name: str, broken: Iterable[str]) -> Collection[str]:
    """Choose the checks of a broken one: the first of each check runs through all, the others through their own."""
    id = check_of(name)
    return () if next(one for one in broken if check_of(one) == id) == name else (id,)


def failed(found: Iterable[Outcome]) -> list[str]:
    """Return the ids of the checks that failed, each of which has told what a reader needs."""
    ids = []
    for outcome in found:
        assert outcome.status != "error", outcome
        if outcome.status == "failed":
            check, lines = outcome.check, outcome.text.splitlines()
            labels = [line.partition(":")[0].strip() for line in lines[1:]]
            assert lines[0].startswith(f"[{check.id}] ")
            assert labels[-3:] == ["rule", "fix", "docs"], outcome.text
            assert labels[:-3], "a failure has facts"
            assert all(text in outcome.text for text in (check.title, check.fix, check.anchor))
            ids.append(check.id)
    return ids
