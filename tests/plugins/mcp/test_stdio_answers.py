"""What a server writes on its standard output, good or bad, ends the request that it answers and no other."""

from __future__ import annotations

import json
import time

import pytest

from ditto_core import UNSET, InvalidResult, McpToolResult
from ditto_mcp import McpConnection, McpInvalidResult, McpRejected, McpTimeout, McpView
from tests.support.mcp_peers import raw_server, run_alone


async def still_works(view: McpView) -> None:
    assert (await view.call_tool("fine", {})).content == "fine"


@pytest.mark.case("CALL-14b")
def test_noise_on_the_standard_output_is_passed_over_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=5)
            for _ in range(3):
                assert (await view.call_tool("noise", {})).content == "fine"

    run_alone(scenario())
    assert [record.getMessage() for record in caplog.records] == ["mcp_output_ignored bytes=22"]


@pytest.mark.promise("D-MCP-10")
def test_bytes_and_escapes_that_are_no_text_become_replacement_characters() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=5)
            assert (await view.call_tool("bad_bytes", {})).content == "a��b"
            lone = await view.call_tool("lone", {})
            assert lone == McpToolResult(content="a�b 😀 \\ud800", structured_content={"�": ["�"]})

    run_alone(scenario())


@pytest.mark.parametrize("tool", ["not_an_object", "no_code", "id_last", "deep", "cut_off"])
def test_an_answer_that_is_no_message_fails_its_request_at_once(tool: str) -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=5)
            with pytest.raises(McpInvalidResult, match=r"that (could not be read|breaks the protocol)"):
                await view.call_tool(tool, {})
            await still_works(view)

    run_alone(scenario())


@pytest.mark.parametrize("tool", ["float_id", "text_id", "batch"])
def test_an_answer_that_a_careless_server_would_give_is_understood_or_fails_its_request(tool: str) -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=5)
            if tool == "float_id":
                with pytest.raises(McpInvalidResult):
                    await view.call_tool(tool, {})
            else:
                assert await view.call_tool(tool, {}) == McpToolResult(content="")
            await still_works(view)

    run_alone(scenario())


@pytest.mark.promise("D-MCP-02")
@pytest.mark.parametrize("tool", ["no_content", "null_content", "unknown_block", "null_error"])
def test_a_result_of_the_wrong_shape_is_invalid(tool: str) -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=5)
            with pytest.raises(McpInvalidResult, match="A tool that was called has run") as caught:
                await view.call_tool(tool, {})
            assert isinstance(caught.value, InvalidResult)
            assert caught.value.code == "MCP_INVALID_RESULT"
            await still_works(view)

    run_alone(scenario())


@pytest.mark.case("CALL-15")
def test_a_result_that_breaks_the_tools_output_schema_is_invalid_and_other_tools_work() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=5)
            with pytest.raises(McpInvalidResult) as caught:
                await view.call_tool("needs_structured", {})
            assert "rows" not in str(caught.value)
            await still_works(view)

    run_alone(scenario())


@pytest.mark.case("CALL-02")
def test_a_failed_result_keeps_its_structured_content_and_is_not_held_against_the_schema() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            result = await connection.client(call_timeout=5).call_tool("failed", {})
            assert result == McpToolResult(content="denied", structured_content={"code": 7}, is_error=True)

    run_alone(scenario())


@pytest.mark.case("CALL-13")
def test_an_error_of_the_protocol_is_told_by_its_code_alone() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=5)
            with pytest.raises(McpRejected) as caught:
                await view.call_tool("reject", {})
            assert caught.value.rpc_code == -32000
            assert str(caught.value) == (
                "The MCP server over stdio rejected the request with the JSON-RPC code -32000. "
                "It may have had its effect."
            )
            await still_works(view)

    run_alone(scenario())


def test_a_message_over_the_limit_fails_its_request_and_the_next_one_is_read() -> None:
    async def scenario() -> None:
        async with raw_server(max_message_bytes=50_000) as connection:
            view = connection.client(call_timeout=5)
            assert len((await view.call_tool("big", {"size": 49_000})).content) == 49_000  # type: ignore[arg-type]
            for size in (50_001, 3_000_000):
                with pytest.raises(McpInvalidResult, match="max_message_bytes"):
                    await view.call_tool("big", {"size": size})
            await still_works(view)

    run_alone(scenario())


def test_a_message_of_megabytes_is_read() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            result = await connection.client().call_tool("big", {"size": 8_000_000})
            assert result.content == "x" * 8_000_000

    run_alone(scenario())


@pytest.mark.case("CALL-11")
def test_a_call_that_takes_too_long_is_given_up_and_the_server_is_told() -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(call_timeout=0.2)
            await view.list_tools()
            began = time.monotonic()
            with pytest.raises(McpTimeout, match=r"gave no answer within 0\.2 s and was asked to stop"):
                await view.call_tool("silent", {})
            assert time.monotonic() - began < 1
            told = await connection.client().call_tool("cancelled", {})
            assert len(json.loads(str(told.content))) == 1

    run_alone(scenario())


def test_what_is_no_json_arrives_as_the_core_will_refuse_it() -> None:
    async def scenario(connection: McpConnection) -> None:
        async with connection:
            result = await connection.client(call_timeout=5).call_tool("nan", {})
            assert str(result.structured_content) == "{'a': nan}"

    run_alone(scenario(raw_server()))


def test_arguments_and_structured_content_pass_unchanged() -> None:
    given = {"text": "ä\u2028\r\n\0😀", "null": None, "list": [1.5, -0.0, 10**40, True, {}], "": {"a": []}}

    async def scenario() -> None:
        async with raw_server() as connection:
            result = await connection.client(call_timeout=5).call_tool("echo", given)
            assert result == McpToolResult(structured_content=given, content=UNSET)

    run_alone(scenario())
