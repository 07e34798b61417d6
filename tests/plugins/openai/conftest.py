"""A server on this machine for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.model_server import ModelServer, obedient


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(obedient) as server:
        yield server
