"""Cancelling: it reaches the client, comes out as it is, and no further page is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ditto_core import ACT_MCP, CallTimeout, McpDiscover, McpToolResult, Runtime, interaction_worker
from tests.support import run
from tests.support.mcp_memory import ALL, Server, invoke, page, registry
from tests.support.tools import settle


class Held:
    """An answer that is waited for until the task is cancelled, and what is done then."""

    def __init__(self, then: Callable[[], Any] | None = None) -> None:
        self.then = then
        self.entered = asyncio.Event()
        self.cancelled = False

    async def answer(self) -> Any:
        self.entered.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            if self.then is None:
                raise
            return self.then()


def _grouped() -> Any:
    raise BaseExceptionGroup("unhandled", [asyncio.CancelledError(), OSError("closed")])


ENDINGS: dict[str, Callable[[], Any] | None] = {
    "as it should be": None,
    "swallowed": lambda: McpToolResult(content="late"),
    "in a group": _grouped,
}


async def _cancelled(work: Awaitable[Any], held: Held) -> None:
    task = asyncio.ensure_future(work)
    await held.entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert held.cancelled


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.promise("MCP-16", "RUN-02c")
@pytest.mark.case("ASYNC-01c", "CALL-11")
def test_a_cancelled_call_ends_cancelled_whatever_the_client_does(ending: str) -> None:
    async def scenario() -> None:
        held = Held(ENDINGS[ending])
        client = Server(answer=held.answer)
        async with Runtime(workers=[interaction_worker(mcp={"files": client})], sandbox=ALL) as runtime:
            await _cancelled(runtime.invoke(ACT_MCP, invoke()), held)
            assert len(client.calls) == 1
            client.answer = McpToolResult(content="fine")
            output = await runtime.invoke(ACT_MCP, invoke(id="c2"))
            assert output.operation == "invoke"
            assert output.result.content == "fine"

    run(scenario())


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.promise("MCP-20")
def test_a_cancelled_discovery_asks_for_no_further_page(ending: str) -> None:
    async def scenario() -> None:
        then = ENDINGS[ending]
        held = Held((lambda: page("a", cursor="2")) if ending == "swallowed" else then)
        client = Server({None: page(cursor="1"), "1": held.answer, "2": page("b")})
        await _cancelled(registry(client).execute(McpDiscover(), ALL), held)
        assert client.cursors == [(), ("1",)]

    run(scenario())


@pytest.mark.promise("MCP-20")
def test_a_client_that_waits_for_nothing_can_be_cancelled_between_pages() -> None:
    async def scenario() -> None:
        pages: dict[str | None, Any] = {
            None: page(cursor="1"),
            **{str(number): page(cursor=str(number + 1)) for number in range(1, 90)},
        }
        client = Server(pages)
        task = asyncio.ensure_future(registry(client).execute(McpDiscover(), ALL))
        await settle()
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert 1 < len(client.cursors) < 30

    run(scenario())


@pytest.mark.case("ASYNC-01c")
def test_a_client_that_raises_a_cancellation_of_its_own_is_not_translated() -> None:
    async def scenario() -> None:
        with pytest.raises(asyncio.CancelledError):
            await registry(Server(answer=asyncio.CancelledError())).execute(invoke(), ALL)

    run(scenario())


def test_a_timeout_of_the_runtime_says_that_the_effect_is_uncertain() -> None:
    async def scenario() -> None:
        held = Held()
        async with Runtime(
            workers=[interaction_worker(mcp={"files": Server(answer=held.answer)})], sandbox=ALL
        ) as runtime:
            with pytest.raises(CallTimeout) as caught:
                await runtime.invoke(ACT_MCP, invoke(), timeout=0.02)
        assert caught.value.started
        assert held.cancelled

    run(scenario())


@pytest.mark.promise("MCP-14")
def test_undoing_a_registration_leaves_what_has_begun_alone() -> None:
    async def scenario() -> None:
        go = asyncio.Event()

        async def waits() -> Any:
            await go.wait()
            return McpToolResult(content="done")

        client, mcp = Server(answer=waits), registry({})
        undo = mcp.register("files", client)
        task = asyncio.ensure_future(mcp.execute(invoke(), ALL))
        await settle()
        assert client.calls
        assert undo()
        go.set()
        assert (await task).result.content == "done"

    run(scenario())
