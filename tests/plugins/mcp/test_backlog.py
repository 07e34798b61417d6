"""A server that writes without end takes neither the memory nor the time of its client."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from ditto_mcp.routes.backlog import MAX_ANSWERS, Answers, Questions
from ditto_mcp.routes.lines import Line
from ditto_mcp.routes.messages import MAX_BATCH, messages_of
from ditto_mcp.routes.process import LINE_BYTES, MAX_WAITING
from ditto_mcp.routes.stream import MessageStream
from tests.plugins.mcp.test_process import started
from tests.support.mcp_peers import run_alone
from tests.support.processes import until

NEWLINES = "import os; [os.write(1, b'\\n' * 65536) for _ in range(1000)]"


class Peer:
    """A transport whose other end asks without end, tells something now and then, and may take nothing."""

    def __init__(self) -> None:
        self.takes = asyncio.Event()
        self.asked = 0

    async def __anext__(self) -> SessionMessage:
        self.asked += 1
        if self.asked % 1_000 == 0:
            return SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/message"))
        return SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=self.asked, method="ping"))

    async def send(self, item: SessionMessage, /) -> None:
        await self.takes.wait()

    async def aclose(self) -> None:
        self.takes.set()


def answer(number: int | str) -> SessionMessage:
    return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=number, result={}))


def test_requests_are_passed_over_while_too_many_answers_wait_and_nothing_else_is() -> None:
    async def scenario() -> None:
        peer = Peer()
        answers = Answers(peer)
        questions = Questions(peer, answers)
        sending = []
        for _ in range(MAX_ANSWERS):
            item: Any = await anext(questions)
            sending.append(asyncio.create_task(answers.send(answer(item.message.id))))
            await asyncio.sleep(0)
        told: Any = await questions.receive()
        assert isinstance(told.message, JSONRPCNotification)
        assert peer.asked == 1_000
        sending.pop().cancel()
        await asyncio.sleep(0)
        asked: Any = await anext(questions)
        assert asked.message.id == 1_001
        async with questions:
            pass
        await asyncio.gather(*sending)
        assert answers.waiting == 0

    run_alone(scenario())


@pytest.mark.case("CALL-14")
@pytest.mark.parametrize("line", [b"", b"   ", b"noise"])
def test_others_get_their_turn_while_a_server_makes_noise_without_end(line: bytes) -> None:
    class Noisy:
        async def line(self) -> Line:
            return Line(line)

    async def scenario() -> None:
        process: Any = Noisy()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await anext(MessageStream(process))

    run_alone(scenario())


def test_empty_lines_that_wait_are_counted_too() -> None:
    async def scenario() -> None:
        process = await started(NEWLINES)
        try:
            await until(lambda: process._waiting > MAX_WAITING)
            for _ in range(1_000):
                await asyncio.sleep(0)
            assert len(process._lines) <= MAX_WAITING // LINE_BYTES + 300_000
        finally:
            await process.end()

    run_alone(scenario())


def test_the_first_items_of_a_batch_are_looked_at() -> None:
    batch = b"[" + b",".join([b'{"jsonrpc":"2.0","id":1,"result":7}'] * (MAX_BATCH + 1)) + b"]"
    assert len(list(messages_of(Line(batch)))) == MAX_BATCH
