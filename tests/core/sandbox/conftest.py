"""A workspace with a neighbour that nobody in it may reach."""

from __future__ import annotations

from pathlib import Path

import pytest

SECRET = "the neighbour's secret"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder; beside it lies ``outside/secret.txt``."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text(SECRET, encoding="utf-8")
    (tmp_path / "place").mkdir()
    return tmp_path / "place"
