"""What the tests of several distributions share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T], timeout: float = 10.0) -> T:
    """Run the coroutine in an event loop of its own; after ``timeout`` seconds it is cancelled: ``TimeoutError``."""

    async def bounded() -> T:
        async with asyncio.timeout(timeout):
            return await coroutine

    return asyncio.run(bounded())
