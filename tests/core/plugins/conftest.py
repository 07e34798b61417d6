"""A folder for distributions, and the library's own log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.support.plugins import Site, site_in


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Give an empty folder on ``sys.path``."""
    with site_in(tmp_path) as found:
        yield found


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Give what the library logs."""
    structlog.reset_defaults()
    caplog.set_level(logging.DEBUG, logger="ditto")
    return caplog
