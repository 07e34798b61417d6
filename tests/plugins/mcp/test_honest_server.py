"""One server of the SDK, reached in process, over stdio and over HTTP, in the new and the old protocol: the same."""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from ditto_core import (
    ACT_MCP,
    UNSET,
    McpDiscover,
    McpInvoke,
    McpRegistry,
    McpToolResult,
    Reference,
    ReferencePart,
    Runtime,
    Sandbox,
    TextPart,
    ToolCall,
    interaction_worker,
)
from ditto_mcp import McpConnection, McpTimeout, McpView, connect_http, connect_inprocess, connect_stdio
from tests.support.mcp_peers import run_alone
from tests.support.mcp_servers.kitchen import kitchen
from tests.support.project import ROOT

Connect = Callable[..., McpConnection]


@pytest.fixture(params=["in process", "in process, old", "stdio", "stdio, old", "http", "http, old"])
def connect(request: pytest.FixtureRequest, kitchen_url: str) -> Connect:
    way, _, age = request.param.partition(", ")
    mode = "legacy" if age else "auto"
    if way == "http":
        return lambda: connect_http(kitchen_url, mode=mode)
    if way == "stdio":
        words = ["-m", "tests.support.mcp_servers.kitchen", "stdio"]
        return lambda: connect_stdio(sys.executable, words, cwd=ROOT, stderr="discard", mode=mode)
    return lambda: connect_inprocess(kitchen(), mode=mode)


def with_view(connect: Connect, use: Callable[[McpView], Coroutine[Any, Any, None]], **options: Any) -> None:
    async def scenario() -> None:
        async with connect() as connection:
            await use(connection.client(**options))

    run_alone(scenario())


@pytest.mark.promise("SDK-09", "SDK-10", "SDK-13", "D-MCP-06")
@pytest.mark.case("CALL-06", "CALL-08")
def test_everything_that_a_server_says_arrives_in_the_same_form_over_every_way(connect: Connect) -> None:
    async def use(view: McpView) -> None:
        page = await view.list_tools()
        assert page.next_cursor is None
        tools = {tool.name: tool for tool in page.tools}
        assert tools["add"].description == "Add two numbers."
        assert tools["add"].input_schema["required"] == ["a", "b"]
        assert tools["add"].output_schema["required"] == ["result"]  # type: ignore[index]
        assert tools["blocks"].title is UNSET

        added = await view.call_tool("add", {"a": 1, "b": 2})
        assert added == McpToolResult(content="3", structured_content={"result": 3})
        assert await view.call_tool("nothing", {}) == McpToolResult(structured_content={"result": None})
        failed = await view.call_tool("fail", {})
        assert (failed.is_error, failed.error, failed.structured_content) == (True, UNSET, UNSET)
        wrong = await view.call_tool("add", {"a": "x"})
        assert wrong.is_error

        link = Reference(uri="https://host/a", media_type="text/html")
        text = Reference(uri="file:///b", media_type="text/plain", digest=_digest(b"second"))
        blob = Reference(uri="file:///c", media_type="image/png", digest=_digest(b"\0\1\2"))
        blocks = await view.call_tool("blocks", {})
        assert blocks.references == (link, text, blob)
        assert blocks.structured_content == {"kinds": 5}
        assert blocks.content == (
            TextPart(text="first"),
            ReferencePart(reference=link),
            TextPart(text="second"),
            ReferencePart(reference=blob),
            _data("data:image/png;base64,AAEC", "image/png", b"\0\1\2"),
            _data("data:image/png;base64,AwQ=", "image/png", b"\3\4"),
            _data("data:audio/wav;base64,BQ==", "audio/wav", b"\5"),
            TextPart(text=""),
        )
        value = {"deep": [{"ä": [None, True, 1.5, "x\u2028"]}], "n": 10**20}
        assert (await view.call_tool("anything", {"value": value})).structured_content == value

    with_view(connect, use)


@pytest.mark.case("CALL-11", "ASYNC-01")
def test_a_call_that_is_cancelled_or_late_is_cancelled_on_the_server(connect: Connect) -> None:
    async def use(view: McpView) -> None:
        await view.list_tools()
        calling = asyncio.create_task(view.call_tool("wait", {}))
        while "began" not in await _events(view):
            pass
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        while "cancelled" not in await _events(view):
            pass
        with pytest.raises(McpTimeout):
            await view.call_tool("wait", {})
        while (await _events(view)).count("cancelled") < 2:
            pass

    with_view(connect, use, call_timeout=0.5)


@pytest.mark.promise("SDK-13", "SDK-02", "D-MCP-04")
def test_one_graphs_nodes_run_over_every_way(connect: Connect) -> None:
    async def scenario() -> None:
        connection = connect()
        registry = McpRegistry()
        registry.register("kitchen", connection.client())
        sandbox = Sandbox(mcp=["kitchen"])
        runtime = Runtime(workers=[interaction_worker(mcp=registry)], sandbox=sandbox)
        assert not connection.is_open
        async with connection, runtime:
            found = await runtime.invoke(ACT_MCP, McpDiscover(server="kitchen"))
            assert {tool.name for tool in found.capabilities} >= {"add", "fail"}
            call = ToolCall(id="c1", name="add", arguments={"a": 1, "b": 2})
            invoked = await runtime.invoke(ACT_MCP, McpInvoke(server="kitchen", call=call))
            assert (invoked.result.source, invoked.result.call_id) == ("kitchen:add", "c1")
            assert invoked.result.structured_content == {"result": 3}
            call = ToolCall(id="c2", name="fail", arguments={})
            failed = await runtime.invoke(ACT_MCP, McpInvoke(server="kitchen", call=call))
            assert failed.result.status == "failed"
            assert failed.result.error.code == "MCP_TOOL_ERROR"

    run_alone(scenario())


@pytest.mark.promise("D-MCP-10")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_lone_surrogate_of_a_server_in_process_becomes_a_replacement_character(mode: str) -> None:
    async def use(view: McpView) -> None:
        registry = McpRegistry()
        registry.register("kitchen", view)
        call = ToolCall(id="c", name="lone", arguments={})
        invoked = await registry.execute(McpInvoke(server="kitchen", call=call), Sandbox(mcp=["kitchen"]))
        assert invoked.result.content == "a\N{REPLACEMENT CHARACTER}b"
        assert invoked.result.structured_content == {"result": "a\N{REPLACEMENT CHARACTER}b"}

    with_view(lambda: connect_inprocess(kitchen(), mode=mode), use)


def _data(uri: str, media_type: str, raw: bytes) -> ReferencePart:
    return ReferencePart(reference=Reference(uri=uri, media_type=media_type, digest=_digest(raw)))


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


async def _events(view: McpView) -> list[str]:
    return (await view.call_tool("events", {})).structured_content["result"]  # type: ignore[index, call-overload, return-value]
