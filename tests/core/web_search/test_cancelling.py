"""Cancelling: that of the caller reaches the provider and comes out; that of the provider's own is a result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    CallTimeout,
    ExternalResult,
    InteractionError,
    Runtime,
    RuntimeClosed,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
    web_search_tool,
)
from tests.support import run
from tests.support.searching import QUERY, Searching, asking, hit, search

CANCELLED = InteractionError(code="WEB_SEARCH_CANCELLED", message="The web search was cancelled.")


class Waiting(Searching):
    """A provider that waits until it is cancelled, and then does what it is told."""

    def __init__(self, then: Callable[[], Any] | None = None) -> None:
        super().__init__(does=self.wait)
        self.then = then
        self.begun = asyncio.Event()
        self.cancelled = 0

    async def wait(self) -> Any:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            if self.then is None:
                raise
            return self.then()


def fail() -> Any:
    raise RuntimeError(QUERY)


async def give_up() -> Any:
    raise asyncio.CancelledError(QUERY)


async def await_what_was_cancelled() -> Any:
    other = asyncio.ensure_future(asyncio.Event().wait())
    other.cancel()
    await other


async def run_out_of_time() -> Any:
    async with asyncio.timeout(0):
        await asyncio.Event().wait()


@pytest.mark.parametrize("does", [give_up, await_what_was_cancelled])
@pytest.mark.promise("WEB-12")
def test_a_search_that_its_provider_gave_up_is_cancelled_as_a_result(does: Callable[[], Awaitable[Any]]) -> None:
    provider = Searching(does=does)
    result = search(provider)
    assert result == ExternalResult(call_id="c1", source="web_search", status="cancelled", error=CANCELLED)
    assert len(provider.asked) == 1


@pytest.mark.promise("WEB-12")
def test_a_deadline_of_the_providers_own_is_a_failed_search() -> None:
    error = search(Searching(does=run_out_of_time)).error
    assert error
    assert error.code == "WEB_SEARCH_FAILED"


@pytest.mark.parametrize("then", [None, fail])
@pytest.mark.promise("WEB-12", "WEB-13")
@pytest.mark.case("ASYNC-01b")
def test_a_cancelled_caller_gets_cancelled_error_and_so_does_the_provider(then: Callable[[], Any] | None) -> None:
    async def main() -> None:
        provider = Waiting(then)
        task = asyncio.create_task(asking(provider))
        await provider.begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as raised:
            await task
        assert provider.cancelled == 1
        chain = [raised.value.__cause__, raised.value.__context__]
        assert not [error for error in chain if QUERY in str(error)]
        assert (await asking(Searching([hit()]))).status == "success"

    run(main())


@pytest.mark.promise("WEB-12", "WEB-13")
def test_a_cancellation_that_comes_before_the_search_comes_out() -> None:
    async def main() -> None:
        async def ask() -> None:
            task = asyncio.current_task()
            assert task
            task.cancel()
            await asking(Searching(does=lambda: asyncio.sleep(0)))

        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(ask())

    run(main())


@pytest.mark.promise("WEB-13")
@pytest.mark.parametrize("then", [None, fail])
def test_a_timeout_of_the_call_and_a_runtime_that_closes_reach_the_provider(then: Callable[[], Any] | None) -> None:
    async def main() -> None:
        sandbox = Sandbox(tools=["*"], network=["*"])
        call = ToolInput(call=ToolCall(id="c1", name="web_search", arguments={"query": QUERY}))
        provider = Waiting(then)
        runtime = Runtime(workers=[interaction_worker(tools=[web_search_tool(provider)])], sandbox=sandbox)
        with pytest.raises(CallTimeout):
            await runtime.invoke(ACT_TOOL, call, timeout=0.01)
        assert provider.cancelled == 1
        provider.begun.clear()
        task = asyncio.create_task(runtime.invoke(ACT_TOOL, call))
        await provider.begun.wait()
        await runtime.aclose(timeout=0)
        with pytest.raises(RuntimeClosed):
            await task
        assert provider.cancelled == 2

    run(main())


def test_a_cancellation_that_was_taken_back_long_ago_does_not_count() -> None:
    async def main() -> None:
        task = asyncio.current_task()
        assert task
        task.cancel()
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            task.uncancel()
        assert (await asking(Searching(does=give_up))).status == "cancelled"

    run(main())
