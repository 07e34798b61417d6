"""No test of the adapter leaves a child, a descriptor or a thread that waits for a child."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator

import pytest

from tests.support.processes import children


@pytest.fixture(autouse=True)
def _leaves_nothing(request: pytest.FixtureRequest) -> Iterator[None]:
    for name in ("kitchen_url",):  # what a module shares is there before
        if name in request.fixturenames:
            request.getfixturevalue(name)
    before = _held()
    yield
    deadline = time.monotonic() + 10  # the kernel may need a moment for what was killed
    while _held() != before and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.01)
    assert _held() == before


def _held() -> tuple[frozenset[int], int, int]:
    """Count what this process holds: children, descriptors, and the threads in which asyncio waits for children."""
    waiting = sum(thread.name.startswith("asyncio-waitpid") for thread in threading.enumerate())
    return children(), len(os.listdir("/proc/self/fd")), waiting  # noqa: PTH208
