"""Clients of version 1 of the SDK, and clients that send what they should not."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Final

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ditto_mcp.serving import http as http_serving
from tests.plugins.mcp.serving.tools import ENDINGS, serving_http
from tests.support.mcp_peers import run_alone
from tests.support.peers import old_python
from tests.support.project import ROOT

CLIENT: Final = str(ROOT / "tests/plugins/mcp/serving/old_client.py")
SERVER: Final = [sys.executable, "-m", "tests.plugins.mcp.serving.tools"]
GOT: Final = {
    "version": "2025-11-25",
    "tools": [tool.name for tool in ENDINGS],
    "good": [False, {"result": 5}, "5"],
    "bad": [True, "failed: NO_LUCK: It did not work."],
    "refused": -32602,
}
HEADERS: Final = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
}
META: Final = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def test_an_old_client_is_served_over_standard_streams() -> None:
    ended = subprocess.run([old_python(), CLIENT, *SERVER], capture_output=True, timeout=60, check=True, cwd=ROOT)
    assert json.loads(ended.stdout) == GOT


def test_an_old_client_is_served_over_http() -> None:
    async def main() -> None:
        async with serving_http() as (url, _):
            client = await asyncio.create_subprocess_exec(old_python(), CLIENT, url, stdout=subprocess.PIPE)
            output, _ = await client.communicate()
        assert json.loads(output) == GOT

    run_alone(main(), 60)


def call(name: str, arguments: str) -> bytes:
    """Write a request whose arguments are this text, be it JSON or not."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "_meta": META}}
    return json.dumps(request).replace('"params": {', f'"params": {{"arguments": {arguments}, ').encode()


def posted(*bodies: bytes) -> list[httpx2.Response]:
    """Send these bodies one after the other, and then a good one, which has to be served."""
    answers: list[httpx2.Response] = []

    async def main() -> None:
        async with serving_http() as (url, _), httpx2.AsyncClient(trust_env=False) as client:
            for body in (*bodies, call("add", '{"first": 1}')):
                answer = await client.post(url, content=body, headers={**HEADERS, "Mcp-Name": "add"})
                answers.append(answer)

    run_alone(main())
    assert answers.pop().json()["result"]["structuredContent"] == {"result": 2}
    return answers


@pytest.mark.parametrize(
    "arguments",
    [
        '{"first": NaN}',
        '{"first": 1e999}',
        '{"first": "\\ud800"}',
        '{"\\ud800": 1}',
        '{"first": ' + "[" * 150 + "]" * 150 + "}",
        '{"first": true}',
        '{"first": null}',
        "{}",
    ],
)
def test_arguments_that_are_no_plain_json_or_do_not_fit_are_refused_in_an_answer(arguments: str) -> None:
    (answer,) = posted(call("add", arguments))
    assert answer.status_code == 200
    result = answer.json()["result"]
    assert result["isError"]
    assert result["content"][0]["text"].startswith("failed: INVALID_ARGUMENTS: ")
    assert len(result["content"][0]["text"]) < 1_000


def test_bodies_that_are_no_request_are_refused_and_the_next_one_is_served() -> None:
    bodies = [
        b"",
        b"{",
        b"\xff",
        b"null",
        b"[]",
        b"3",
        b'{"jsonrpc": "2.0", "id": 1}',
        call("add", "[1]"),
        call("add", "9" * 5_000),
    ]
    assert {answer.status_code for answer in posted(*bodies)} == {400}


def test_arguments_too_deep_for_the_reader_of_json_are_refused_in_one_way_or_the_other() -> None:
    (answer,) = posted(call("add", '{"first": ' + "[" * 100_000 + "]" * 100_000 + "}"))
    assert answer.status_code == 400 or answer.json()["result"]["isError"]


@settings(max_examples=5)  # each starts a server, and sends it many
@given(st.lists(st.binary(max_size=50), max_size=50))
def test_no_bytes_bring_the_server_down(bodies: list[bytes]) -> None:
    assert all(answer.status_code in (200, 202, 400) for answer in posted(*bodies))


def test_a_request_that_is_too_large_is_refused() -> None:
    (answer,) = posted(call("text", json.dumps("x" * http_serving.MAX_REQUEST_BYTES)))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("bound", "number", "expected"), [("MAX_SESSIONS", 2, [200, 200, 503]), ("MAX_CONNECTIONS", 0, [503])]
)
def test_more_sessions_or_connections_than_are_allowed_are_refused(
    bound: str, number: int, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_serving, bound, number)
    who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who}

    async def main() -> None:
        async with serving_http() as (url, _), httpx2.AsyncClient(trust_env=False) as client:
            accept = {"Accept": HEADERS["Accept"]}
            for status in expected:
                assert (await client.post(url, json=hello, headers=accept)).status_code == status

    run_alone(main())


def test_many_calls_at_once_get_their_own_answers() -> None:
    async def main() -> None:
        async with serving_http() as (url, _), httpx2.AsyncClient(trust_env=False) as client:

            async def one(number: int) -> bool:
                body = call("add", json.dumps({"first": number}))
                answer = await client.post(url, content=body, headers={**HEADERS, "Mcp-Name": "add"})
                return bool(answer.json()["result"]["structuredContent"] == {"result": number + 1})

            assert all(await asyncio.gather(*map(one, range(200))))

    run_alone(main())
