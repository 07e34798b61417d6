"""A call of a served tool: what comes back, and what does not."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from ditto_core import (
    UNSET,
    McpToolResult,
    Reference,
    ReferencePart,
    Runtime,
    Sandbox,
    TextPart,
    ToolContext,
    ToolOutcome,
    interaction_worker,
)
from ditto_mcp import McpError, McpTimeout, connect_inprocess, mcp_server
from ditto_testkit.strategies import outcomes
from tests.plugins.mcp.serving.tools import PIXEL, giving, made, served


def called(name: str, arguments: Any = None, **options: Any) -> McpToolResult:
    """Call a tool of the endings once."""

    async def main() -> McpToolResult:
        async with served(**options) as connection:
            return await connection.client().call_tool(name, arguments or {})

    return asyncio.run(main())


@pytest.mark.promise("D-MCP-08")
def test_a_tool_is_called_with_typed_arguments_and_gives_structured_content() -> None:
    result = called("add", {"first": 2, "second": 3})
    assert (result.is_error, result.structured_content, result.content) == (False, {"result": 5}, "5")


def test_text_json_and_structured_content_arrive() -> None:
    assert called("text").content == "hello"
    assert called("json").content == '[1, {"a": null}]'
    result = called("structured")
    assert (result.structured_content, result.content) == ({"a": [1]}, '{"a": [1]}')
    assert called("listed").structured_content == {"result": [1]}


def test_parts_keep_their_order_and_references_are_links_or_what_they_hold() -> None:
    result = called("parts")
    link = Reference(uri="https://acme.example/a", media_type="text/html")
    assert isinstance(result.content, tuple)
    assert result.content[:3] == (TextPart(text="see"), TextPart(text='{"n": 1}'), ReferencePart(reference=link))
    (picture,) = result.content[3:]
    assert isinstance(picture, ReferencePart)
    assert (picture.reference.uri, picture.reference.media_type) == (PIXEL, "image/png")
    assert result.references == (link,)


def test_a_failure_says_status_code_and_message_and_keeps_what_there_is() -> None:
    result = called("failing")
    assert result.is_error
    assert result.content == (TextPart(text="failed: NO_LUCK: It did not work."), TextPart(text="half"))


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("add", {"first": "2"}, "failed: INVALID_ARGUMENTS: "),
        ("add", {}, "first: is missing"),
        ("raises", {}, "failed: TOOL_RAISED: The tool failed unexpectedly."),
        ("no_outcome", {}, "failed: INVALID_RESULT: "),
        ("large", {}, "failed: OUTPUT_TOO_LARGE: The result has 10,"),
        ("never", {}, "timeout: CALL_TIMEOUT: The tool did not end in time. It may have had its effect"),
    ],
)
def test_what_goes_wrong_is_an_error_that_tells_nothing_private(name: str, arguments: Any, told: str) -> None:
    result = called(name, arguments, call_timeout=0.05, max_result_bytes=5_000)
    assert result.is_error
    assert isinstance(result.content, str)
    assert told in result.content
    assert "hunter2" not in result.content
    assert "/home" not in result.content


def test_what_a_tool_raised_is_logged_by_its_kind(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="ditto"):
        called("raises")
    assert [record.getMessage() for record in caplog.records] == [
        "served_call_raised tool=raises raised=a RuntimeError"
    ]


def test_the_sandbox_of_the_runtime_holds_inside_a_tool(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("here", encoding="utf-8")
    sandbox = Sandbox(tmp_path, tools=["*"], read=True)
    assert called("reads", {"path": "a.txt"}, sandbox=sandbox).content == "here"
    refused = called("reads", {"path": "a.txt"}, sandbox=Sandbox(tmp_path, tools=["*"]))
    assert refused.is_error
    assert str(refused.content).startswith("failed: PERMISSION_DENIED: Reading files")
    missing = called("reads", {"path": "b.txt"}, sandbox=sandbox)
    assert str(missing.content).startswith("failed: FILE_MISSING: ")
    assert str(tmp_path) not in str(missing.content)


@pytest.mark.parametrize("name", ["text", "nowhere"])
def test_a_tool_that_is_not_permitted_is_answered_like_one_that_does_not_exist(name: str) -> None:
    async def main() -> str:
        async with served(sandbox=Sandbox(tools=["add"])) as connection:
            with pytest.raises(McpError) as caught:
                await connection.client().call_tool(name, {})
            return str(caught.value)

    assert asyncio.run(main()).replace(name, "x") == asyncio.run(main()).replace(name, "x")


@pytest.mark.case("ASYNC-01")
def test_a_cancelled_call_is_cancelled_in_the_tool_and_the_next_one_runs() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def main() -> None:
        async def waits(arguments: Any, context: Any) -> ToolOutcome:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError

        from tests.plugins.mcp.serving.tools import made

        async with served([made("waits", waits), giving("text", ToolOutcome(content="hello"))]) as connection:
            client = connection.client()
            call = asyncio.ensure_future(client.call_tool("waits", {}))
            await begun.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await asyncio.wait_for(ended.wait(), 10)
            assert (await client.call_tool("text", {})).content == "hello"
            with pytest.raises(McpTimeout):
                await connection.client(call_timeout=0.05).call_tool("waits", {})

    asyncio.run(main())


@given(outcomes())
def test_any_outcome_arrives_with_its_failure_and_its_structure(outcome: ToolOutcome) -> None:
    async def main() -> McpToolResult:
        async with served([giving("any", outcome)]) as connection:
            return await connection.client().call_tool("any", {})

    result = asyncio.run(main())
    assert result.is_error == (outcome.status != "success")
    if outcome.structured_content is not UNSET:
        expected = outcome.structured_content
        assert result.structured_content == (expected if type(expected) is dict else {"result": expected})
    if result.is_error:
        first = result.content if isinstance(result.content, str) else result.content[0].text  # type: ignore[index, union-attr]
        assert str(first).startswith(outcome.status)


@pytest.mark.case("ASYNC-01")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_tool_that_raises_cancelled_error_by_itself_fails_alone(mode: str) -> None:
    async def gives_up(arguments: Any, context: ToolContext) -> ToolOutcome:
        raise asyncio.CancelledError

    async def main() -> None:
        worker = interaction_worker(tools=[made("gives_up", gives_up), giving("text", ToolOutcome(content="hello"))])
        async with (
            Runtime(workers=[worker], sandbox=Sandbox(tools=["*"])) as runtime,
            connect_inprocess(mcp_server(runtime), mode=mode) as connection,
        ):
            client = connection.client()
            failed = await client.call_tool("gives_up", {})
            assert failed.is_error
            assert str(failed.content).startswith("failed: TOOL_RAISED")
            assert (await client.call_tool("text", {})).content == "hello"

    asyncio.run(main())
