"""A server gets the environment, the folder and the standard error that the application chose, and nothing more."""

from __future__ import annotations

import asyncio
import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from ditto_core import InvalidValue, WrongEventLoop
from ditto_mcp import connect_http, connect_inprocess, connect_stdio
from tests.support.mcp_peers import raw_server, run_alone
from tests.support.mcp_servers.kitchen import kitchen


def test_a_server_inherits_six_variables_and_gets_those_of_the_application(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "x")

    async def scenario() -> None:
        async with raw_server(env={"TOKEN": "t", "HOME": "/elsewhere"}) as connection:
            told = await connection.client().call_tool("environment", {})
            found = json.loads(str(told.content))
            assert found.keys() - {"LC_CTYPE"} <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TOKEN"}
            assert (found["TOKEN"], found["HOME"]) == ("t", "/elsewhere")

    run_alone(scenario())


def test_a_server_starts_in_the_folder_that_was_chosen(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with raw_server(cwd=tmp_path) as connection:
            assert (await connection.client().call_tool("folder", {})).content == str(tmp_path)

    run_alone(scenario())


def test_the_standard_error_goes_where_it_was_sent(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def scenario(stderr: Any) -> None:
        async with raw_server(stderr=stderr) as connection:
            await connection.client().call_tool("complain", {})

    with (tmp_path / "errors").open("wb") as file:
        run_alone(scenario(file))
    assert (tmp_path / "errors").read_text() == "complaint\n"
    run_alone(scenario("discard"))
    assert capfd.readouterr().err == ""
    run_alone(scenario("inherit"))
    assert capfd.readouterr().err == "complaint\n"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"command": ""}, "command"),
        ({"command": "a\0b"}, "command"),
        ({"command": Path("a")}, "command"),
        ({"args": "--all"}, "args"),
        ({"args": [1]}, "args"),
        ({"args": ["\ud800"]}, "args"),
        ({"env": ["A=b"]}, "env"),
        ({"env": {"A=b": "c"}}, "env"),
        ({"env": {"": "c"}}, "env"),
        ({"env": {"A": 1}}, "env"),
        ({"cwd": 5}, "cwd"),
        ({"cwd": "a\0b"}, "cwd"),
        ({"stderr": "nowhere"}, "stderr"),
        ({"stderr": 2}, "stderr"),
        ({"stderr": io.StringIO()}, "stderr"),
        ({"mode": "new"}, "mode"),
        ({"mode": None}, "mode"),
        ({"connect_timeout": 0}, "connect_timeout"),
        ({"max_message_bytes": 0}, "max_message_bytes"),
        ({"max_message_bytes": 1e6}, "max_message_bytes"),
    ],
)
def test_arguments_that_could_not_work_are_refused_at_once(options: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidValue, match=field) as caught:
        connect_stdio(**{"command": "server", **options})
    assert caught.value.field.endswith(field)


@pytest.mark.parametrize(
    "options",
    [{"headers": ["A: b"]}, {"headers": {"A": 1}}, {"trust_env": 1}, {"mode": "x"}, {"max_message_bytes": -1}],
)
def test_arguments_for_an_address_that_could_not_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=next(iter(options))):
        connect_http("http://host/mcp", **options)


def test_what_is_no_server_of_the_sdk_is_refused() -> None:
    with pytest.raises(InvalidValue, match="must be an MCPServer or a Server, not a function"):
        connect_inprocess(kitchen)  # type: ignore[arg-type]


def test_a_version_that_the_sdk_does_not_know_fails_the_connection() -> None:
    from ditto_mcp import McpConnectFailed

    async def scenario() -> None:
        with pytest.raises(McpConnectFailed, match="the SDK raised ValueError"):
            await connect_inprocess(kitchen(), mode="1999-01-01").open()

    run_alone(scenario())


def test_a_version_that_is_given_needs_no_handshake_and_lists_nevertheless() -> None:
    async def scenario() -> None:
        async with connect_inprocess(kitchen(), mode="2026-07-28") as connection:
            assert (await connection.client().call_tool("add", {"a": 1, "b": 2})).content == "3"

    run_alone(scenario())


def test_another_event_loop_is_told_so() -> None:
    async def scenario() -> None:
        async with connect_inprocess(kitchen()) as connection:
            errors: list[BaseException] = []

            def elsewhere() -> None:
                for use in (connection.aclose, connection.client().list_tools):
                    try:
                        asyncio.run(use())  # type: ignore[arg-type]
                    except WrongEventLoop as error:
                        errors.append(error)

            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
            assert len(errors) == 2
            assert connection.is_open

    run_alone(scenario())


def test_a_connection_shows_its_way_and_state_and_nothing_private() -> None:
    connection = connect_stdio("/secret/program", ["--token", "secret"], env={"SECRET": "secret"})
    assert repr(connection) == "<McpConnection, new: The MCP server over stdio>"
    assert "secret" not in repr(connection.client())
    assert os.path.sep not in repr(connection)
