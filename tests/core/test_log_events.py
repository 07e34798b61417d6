"""The table of the core's events, held equal to the calls in its sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ditto_core.log import EVENTS
from tests.support.project import ROOT, files

CORE = ROOT / "core/src/ditto_core"


def test_the_table_lists_exactly_the_events_of_the_sources() -> None:
    listed = set()
    for name, meaning in EVENTS.items():
        found = re.fullmatch(r"(debug|info|warning|error) \(([a-z_, ]+)\): .+[^.]", meaning)
        assert found, f"{name}: write 'level (field, field): meaning'"
        listed.add((name, found[1], frozenset(found[2].split(", "))))
    assert set(logged()) == listed


def test_events_are_named_in_the_past_tense() -> None:
    assert [name for name in EVENTS if not re.fullmatch(r"[a-z_]+(ed|left_running)", name)] == []


def test_the_table_is_sorted() -> None:
    assert list(EVENTS) == sorted(EVENTS)


def logged() -> Iterator[tuple[object, str, frozenset[str | None]]]:
    """Give name, level and fields of each call of the core's logger."""
    for path in files(".py", below=CORE):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("LOG."):
                assert isinstance(node.func, ast.Attribute)
                (event,) = node.args
                assert isinstance(event, ast.Constant), f"{path.name}:{node.lineno}: write the event's name here"
                level = {"exception": "error"}.get(node.func.attr, node.func.attr)
                yield event.value, level, frozenset(keyword.arg for keyword in node.keywords)
