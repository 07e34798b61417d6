"""The application of the guide keeps its word, and so do the tests that the guide shows for it."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import ROOT

EXAMPLES = ROOT / "docs/examples"
SHOWN = (
    "test_what_is_found_is_delivered_and_no_ticket_is_opened",
    "test_what_is_not_found_becomes_a_ticket",
    "test_a_failure_is_told_and_opens_no_ticket",
    "test_without_approval_no_ticket_is_opened",
)


@pytest.fixture
def tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Give what the module of tests holds; it imports the application as its neighbour."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield runpy.run_path(str(EXAMPLES / "composing/test_application.py"))
    del sys.modules["application"]


@pytest.mark.parametrize("name", SHOWN)
def test_a_test_that_is_shown_passes(name: str, tests: dict[str, Any], tmp_path: Path) -> None:
    tests[name](tmp_path)


def test_there_are_no_others(tests: dict[str, Any]) -> None:
    assert [name for name in tests if name.startswith("test_")] == list(SHOWN)
