"""What goes on for a request ends when nobody waits for it any more, and not before."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from ditto_mcp.routes.http_client import MAX_RESUMED, HttpClient
from ditto_mcp.routes.waiting import WAITING, NobodyWaits, Waiting, while_waited_for
from tests.support.mcp_peers import run_alone


async def _never() -> None:
    await asyncio.Event().wait()


async def _seven() -> int:
    return 7


def test_work_is_done_while_somebody_waits_and_for_those_who_cannot_give_up() -> None:
    async def scenario() -> None:
        assert await while_waited_for(_seven) == 7
        WAITING.set(Waiting())
        assert await while_waited_for(_seven) == 7

    run_alone(scenario())


def test_giving_up_ends_all_that_goes_on_and_what_would_be_begun() -> None:
    async def scenario() -> None:
        waiting = Waiting()
        WAITING.set(waiting)
        working = [asyncio.create_task(while_waited_for(_never)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting.give_up()
        for work in working:
            with pytest.raises(NobodyWaits):
                await work
        with pytest.raises(NobodyWaits):
            await while_waited_for(_seven)

    run_alone(scenario())


def test_a_cancellation_stays_one() -> None:
    async def scenario() -> None:
        WAITING.set(Waiting())
        work = asyncio.create_task(while_waited_for(_never))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    run_alone(scenario())


def test_an_answer_that_breaks_off_again_and_again_is_given_up() -> None:
    asked = []

    def breaking_off(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(200)

    async def scenario() -> None:
        WAITING.set(Waiting())
        async with HttpClient(transport=httpx2.MockTransport(breaking_off)) as client:
            statuses = [(await client.get("http://localhost/")).status_code for _ in range(MAX_RESUMED + 2)]
        assert statuses == [200] * MAX_RESUMED + [504] * 2
        assert len(asked) == MAX_RESUMED

    run_alone(scenario())
