"""Ends what broken plugins have left behind, test by test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plugins.testkit.left_behind import LEFT


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    with LEFT:
        yield
