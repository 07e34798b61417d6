"""A folder for distributions, and the library's own log."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.support.plugins import Site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Give an empty folder on ``sys.path``; modules imported from it are forgotten afterwards."""
    known = set(sys.modules)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importlib.invalidate_caches()
    yield Site(tmp_path)
    for name in set(sys.modules) - known:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).parent == tmp_path:
            del sys.modules[name]


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Give what the library logs."""
    structlog.reset_defaults()
    caplog.set_level(logging.DEBUG, logger="ditto")
    return caplog
