"""How many examples the property tests try (``DITTO_HYPOTHESIS_PROFILE`` names the profile), and a Redis for all."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.support.redis_server import RedisServer

# Deadlines and slow data are no failures: the machines that run this are shared.
settings.register_profile("ditto", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("ditto"), derandomize=True, print_blob=True)
settings.register_profile("few", settings.get_profile("ci"), max_examples=10)
settings.register_profile("deep", settings.get_profile("ditto"), max_examples=1000)
settings.load_profile(os.environ.get("DITTO_HYPOTHESIS_PROFILE", "ditto"))

gc.disable()  # until all tests are there


def pytest_collection_finish() -> None:
    """Keep the garbage collector off what stays to the end: it would go through ten thousand tests each time."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Give a Redis that runs while this process tests; without the program the tests that ask for it fail."""
    from tests.support.redis_server import RedisServer

    with RedisServer() as server:
        yield server
