"""No test of the adapter leaves a child, a descriptor or a thread that waits for a child."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator

import pytest

from tests.support.mcp_servers.over_http import kitchen_over_http
from tests.support.processes import children


@pytest.fixture(scope="module")
def kitchen_url() -> Iterator[str]:
    """Give the address of an honest server, which a module's tests share."""
    with kitchen_over_http() as server:
        yield server.url


@pytest.fixture(autouse=True)
def _leaves_nothing(request: pytest.FixtureRequest) -> Iterator[None]:
    if "kitchen_url" in request.fixturenames:  # it is there before
        request.getfixturevalue("kitchen_url")
    before = _held()
    yield
    deadline = time.monotonic() + 10  # the kernel may need a moment for what was killed
    while _held() != before and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0)
    assert _held() == before


def _held() -> tuple[frozenset[int], int, int]:
    """Count what this process holds: children, descriptors, and the threads in which asyncio waits for children."""
    waiting = sum(thread.name.startswith("asyncio-waitpid") for thread in threading.enumerate())
    return children(), len(os.listdir("/proc/self/fd")), waiting  # noqa: PTH208
