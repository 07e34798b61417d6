"""A server's process ends with its connection, however either of them ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from ditto_mcp import McpClosed, McpConnectFailed, McpConnection
from tests.support import run
from tests.support.mcp_peers import raw_server, run_alone
from tests.support.processes import children, gone, lives, until
from tests.support.project import ROOT

PATIENCE = 0.2
"""What a server gets to end by itself, and once more when it was asked to; outside of these tests it is more."""


@pytest.fixture(autouse=True)
def _is_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ditto_mcp.routes.process.EXIT_SECONDS", PATIENCE)
    monkeypatch.setattr("ditto_mcp.routes.process.TERM_SECONDS", PATIENCE)


async def number_of(connection: McpConnection) -> int:
    """Return the number of the server's process."""
    return int(str((await connection.client().call_tool("process", {})).content))


def test_nothing_is_started_before_the_connection_is_opened_and_nothing_is_left_when_it_is_closed() -> None:
    async def scenario() -> None:
        before = children()
        connection = raw_server()
        view = connection.client()
        assert children() == before
        assert not connection.is_open
        with pytest.raises(McpClosed, match=r"is not open yet\. Nothing was sent") as caught:
            await view.list_tools()
        assert not caught.value.started
        async with connection:
            assert len(children()) == len(before) + 1
            number = await number_of(connection)
        assert children() == before
        assert not lives(number)
        with pytest.raises(McpClosed, match=r"is closed\. Nothing was sent"):
            await view.call_tool("fine", {})
        with pytest.raises(McpConnectFailed, match=r"opened or closed before\. Make another one"):
            await connection.open()

    run_alone(scenario())


@pytest.mark.case("CALL-10")
def test_a_server_that_dies_during_a_call_ends_the_call_and_has_run_it_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with raw_server() as other, raw_server() as connection:
            view = connection.client()
            async with asyncio.timeout(3):
                with pytest.raises(McpClosed, match="was lost during the request: it ended with status 7") as caught:
                    await view.call_tool("die", {"counter": str(tmp_path / "counter")})
            assert caught.value.started
            assert (tmp_path / "counter").read_text() == "x"
            with pytest.raises(McpClosed, match="closed") as caught:
                await view.call_tool("fine", {})
            assert not caught.value.started
            assert not connection.is_open
            assert (await other.client().call_tool("fine", {})).content == "fine"

    run_alone(scenario())


def test_a_server_that_is_killed_during_a_call_is_told_by_its_signal() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            with pytest.raises(McpClosed, match="it was ended by signal 9"):
                await connection.client().call_tool("kill", {})

    run_alone(scenario())


def test_an_answer_is_not_lost_with_the_server_that_ends_right_after_it() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            assert (await connection.client().call_tool("answer_and_die", {})).content == "fine"
            await until(lambda: not connection.is_open)

    run_alone(scenario())


def test_what_a_server_leaves_behind_when_it_ends_is_ended_too() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            with pytest.raises(McpClosed):
                await connection.client().call_tool("orphan", {})

    run_alone(scenario())


def test_a_server_that_ends_at_once_fails_the_connection_with_its_status() -> None:
    async def scenario() -> None:
        with pytest.raises(
            McpConnectFailed, match=r"could not be connected: it ended with status 3\. No tool has run"
        ):
            await raw_server("quit").open()

    run_alone(scenario())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_server_that_never_answers_fails_the_connection_in_time(mode: str) -> None:
    async def scenario() -> None:
        with pytest.raises(McpConnectFailed, match=r"it took longer than 0\.2 s"):
            await raw_server("mute", mode=mode, connect_timeout=0.2).open()

    run_alone(scenario())


def test_a_program_that_is_not_there_or_may_not_run_fails_the_connection_without_its_path(tmp_path: Path) -> None:
    from ditto_mcp import connect_stdio

    async def scenario() -> None:
        for command, folder in (
            ("/nonexistent/program", None),
            (str(tmp_path), None),
            ("true", "/nonexistent/folder"),
        ):
            with pytest.raises(McpConnectFailed, match=r"the system says: (No such file|Permission denied)") as caught:
                await connect_stdio(command, cwd=folder).open()
            assert str(tmp_path) not in str(caught.value)
            assert "nonexistent" not in str(caught.value)

    run_alone(scenario())


def test_a_server_that_ignores_the_end_of_input_and_a_request_to_end_is_killed() -> None:
    async def scenario() -> None:
        connection = await raw_server("deaf").open()
        number = await number_of(connection)
        began = time.monotonic()
        await connection.aclose()
        assert 2 * PATIENCE <= time.monotonic() - began < 2 * PATIENCE + 2
        assert not lives(number)

    run_alone(scenario())


def test_a_second_cancellation_while_a_deaf_server_is_closed_makes_it_faster_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ditto_mcp.routes.process.EXIT_SECONDS", 60)
    numbers: list[int] = []

    async def main() -> None:
        with (tmp_path / "stderr").open("w+b") as stderr:
            connection = await raw_server("deaf", stderr=stderr).open()
            numbers.append(await number_of(connection))
            closing = asyncio.create_task(connection.aclose())
            await until(lambda: stderr.seek(0) == 0 and stderr.read() == b"end of input\n")
            closing.cancel()
        # asyncio.run now cancels every task, that of the connection too

    run(main())
    assert not any(map(lives, numbers))


def test_closing_goes_on_when_it_is_cancelled() -> None:
    async def scenario() -> None:
        connection = await raw_server("deaf").open()
        number = await number_of(connection)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await connection.aclose()
        await gone(number)
        await connection.aclose()

    run_alone(scenario())


def test_opening_that_is_cancelled_leaves_nothing() -> None:
    async def scenario() -> None:
        before = children()
        opening = asyncio.create_task(raw_server("mute").open())
        await until(lambda: children() != before)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        assert children() == before

    run_alone(scenario())


@pytest.mark.case("CALL-16")
def test_it_is_opened_used_and_closed_by_different_tasks_and_by_several_at_once() -> None:
    async def scenario() -> None:
        connection = raw_server()
        await asyncio.create_task(connection.open())
        view = connection.client()
        result = await asyncio.create_task(view.call_tool("fine", {}))
        await asyncio.gather(*(asyncio.create_task(connection.aclose()) for _ in range(3)))
        assert result.content == "fine"

    run_alone(scenario())


def test_closing_ends_the_calls_that_go_on() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client()
            await view.list_tools()
            calls = [asyncio.create_task(view.call_tool("silent", {})) for _ in range(3)]
            await asyncio.sleep(0)
        for call in calls:
            with pytest.raises(McpClosed, match="was lost during the request"):
                await call

    run_alone(scenario())


def test_what_is_raised_while_the_connection_is_open_comes_out_as_it_is() -> None:
    async def scenario() -> None:
        async with raw_server():
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run(scenario())


def test_a_connection_that_nobody_closes_ends_with_the_event_loop() -> None:
    numbers: list[int] = []

    async def forgetful() -> None:
        connection = await raw_server().open()
        numbers.append(await number_of(connection))

    run(forgetful())
    assert not any(map(lives, numbers))


@pytest.mark.parametrize("ending", ["loop.close()", "pass", "raise SystemExit"])
def test_an_event_loop_that_is_dropped_leaves_no_server_when_the_process_ends(ending: str) -> None:
    script = textwrap.dedent(f"""
        import asyncio
        from tests.support.mcp_peers import raw_server
        async def main():
            connection = await raw_server("deaf").open()
            print((await connection.client().call_tool("process", {{}})).content, flush=True)
        loop = asyncio.new_event_loop()
        loop.run_until_complete(main())
        {ending}
    """)
    finished = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=20, check=False
    )
    assert not lives(int(finished.stdout))
