"""One event loop for all examples of a check, driven from plain functions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, Self, TypeVar

import attrs

from ditto_core import ACT_TOOL, Runtime, ToolCall, ToolInput

from .alarm import alarm
from .pipes import Hung

R = TypeVar("R")


@attrs.frozen(eq=False)
class Ended:
    """How something ended: with a value, or with an exception."""

    value: Any = None
    error: BaseException | None = None


class Loop:
    """An event loop; every wait in it is bounded by `limit` seconds, and `watch` looks on from outside of it.

    ``hangs`` counts what did not end within the limit, each of which has taken that time.
    """

    def __init__(self, limit: float, watch: Callable[[], AbstractContextManager[Any]] = nullcontext) -> None:
        self.limit = limit
        self.hangs = 0
        self._watch = watch
        self._runner = asyncio.Runner()
        self._held: asyncio.Task[None] | None = None
        self._leave: asyncio.Event | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._held is not None and self._leave is not None:
                self._leave.set()
                self.run(_joined(self._held))
        finally:
            loop = self._runner.get_loop()
            try:
                with alarm(self.limit):
                    self._runner.close()
            except Hung:  # a task swallows its cancellation; that it ends with its loop has been told as a hang
                loop.set_exception_handler(lambda *_: None)

    def run(self, coroutine: Coroutine[Any, Any, R]) -> R:
        """Return what the coroutine returns; raises :class:`Hung` after the limit, and what it raises."""

        async def bounded() -> R:
            bound = asyncio.timeout(self.limit)
            try:
                async with bound:
                    return await coroutine
            except TimeoutError as error:
                if bound.expired():
                    raise Hung(f"It did not end within {self.limit:g} s.") from error
                raise

        with self._watch():
            try:
                with alarm(self.limit) as rung:
                    value = self._runner.run(bounded())
                if rung:
                    raise Hung(f"It did not end within {self.limit:g} s and held up the event loop.")
            except Hung:
                self.hangs += 1
                raise
            return value

    def ended(self, coroutine: Coroutine[Any, Any, Any]) -> Ended:
        """Return how the coroutine ended; a hang is an ending too."""
        try:
            return Ended(value=self.run(coroutine))
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            return Ended(error=error)

    def hold(self, manager: Any) -> None:
        """Enter an async context manager now and leave it when this loop ends, in the same task."""
        entered = asyncio.Event()
        self._leave = leave = asyncio.Event()

        async def held() -> None:
            async with manager:
                entered.set()
                await leave.wait()

        async def start() -> None:
            self._held = task = asyncio.ensure_future(held())
            waiting = asyncio.ensure_future(entered.wait())
            await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if task.done():
                self._held = None
                await task

        self.run(start())


async def _joined(task: asyncio.Task[None]) -> None:
    await task


async def settle(times: int = 20) -> None:
    """Let every task that can run now run until it waits for something."""
    for _ in range(times):
        await asyncio.sleep(0)


async def invoked(runtime: Runtime, call: ToolCall) -> Any:
    """Make a call and let the runtime's threads end. Closing it would take turns of the loop, which are counted."""
    try:
        return await runtime.invoke(ACT_TOOL, ToolInput(call=call))
    finally:
        runtime.threads.close()
