"""A folder for configuration files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ditto_core import Config, load_config
from tests.support.configs import Load


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Give a function that writes a file and loads it."""

    def write_and_load(
        content: str | bytes, env: Mapping[str, str] | None = None, *, name: str = "ditto.yaml"
    ) -> Config:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return load_config(path, env)

    return write_and_load
