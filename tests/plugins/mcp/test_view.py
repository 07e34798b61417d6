"""A view lists and calls the chosen tools alone, and refuses the rest before the server is asked."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidArguments, InvalidValue, McpClient, PermissionDenied, UnknownTool
from ditto_mcp import (
    McpInvalidArguments,
    McpInvalidResult,
    McpNotAllowed,
    McpNotListed,
    McpTimeout,
    McpView,
    connect_inprocess,
    read_only,
)
from ditto_mcp.mapping.arguments import is_plain_json
from tests.support.mcp_peers import raw_server, run_alone
from tests.support.mcp_servers.kitchen import kitchen


async def calls(view: McpView) -> int:
    """Return how often `wait` was begun on the server."""
    return len((await view.call_tool("events", {})).structured_content["result"])  # type: ignore[index, call-overload, arg-type]


@pytest.mark.promise("SDK-11")
def test_a_view_with_names_lists_these_alone_and_refuses_others_before_the_server_is_asked() -> None:
    async def scenario() -> None:
        connection = connect_inprocess(kitchen())
        view = connection.client(allow={"add", "absent"})
        with pytest.raises(McpNotAllowed, match="'wait' is not one that this view allows") as caught:
            await view.call_tool("wait", {})  # the connection is not even open
        assert isinstance(caught.value, PermissionDenied)
        async with connection:
            full: McpClient = connection.client()
            assert [tool.name for tool in (await view.list_tools()).tools] == ["add"]
            assert len((await full.list_tools()).tools) > 1
            for name in ("wait", "Add", "add ", ""):
                with pytest.raises(McpNotAllowed):
                    await view.call_tool(name, {})
            assert (await view.call_tool("add", {"a": 1, "b": 1})).content == "2"
            with pytest.raises(McpNotListed, match="lists no tool 'absent'") as unlisted:
                await view.call_tool("absent", {})
            assert isinstance(unlisted.value, UnknownTool)
            assert await calls(connection.client()) == 0

    run_alone(scenario())


@pytest.mark.promise("SDK-11")
def test_a_view_with_a_question_asks_it_about_every_listed_tool() -> None:
    async def scenario() -> None:
        async with raw_server("hints") as connection:
            view = connection.client(allow=read_only, call_timeout=5)
            assert (await view.call_tool("fine", {})).content == "fine"
            for name in ("echo", "die", "silent"):
                with pytest.raises(McpNotAllowed):
                    await view.call_tool(name, {})
            assert [tool.name for tool in (await view.list_tools()).tools] == ["fine"]
            truthy = connection.client(allow=lambda tool: 1)  # type: ignore[arg-type, return-value]
            assert (await truthy.list_tools()).tools == []

    run_alone(scenario())


def test_a_page_without_allowed_tools_keeps_its_cursor() -> None:
    async def scenario() -> None:
        async with raw_server("pages") as connection:
            view = connection.client(allow={"needs_structured"})
            cursors, names, cursor = [], [], None
            while True:
                page = await view.list_tools(cursor)
                names += [tool.name for tool in page.tools]
                cursors.append(cursor := page.next_cursor)
                if cursor is None:
                    break
            assert (cursors, names) == (["a", "", None], ["needs_structured"])

    run_alone(scenario())


@pytest.mark.parametrize("name", ["fine", "needs_structured"])
def test_a_first_call_lists_all_pages_first_and_the_next_one_none(name: str) -> None:
    async def scenario() -> None:
        async with raw_server("pages") as connection:
            view = connection.client(call_timeout=5)
            first, second = await asyncio.gather(*(view.call_tool(name, {}) for _ in range(2)), return_exceptions=True)
            assert type(first) is type(second)
            assert isinstance(first, McpInvalidResult) == (name == "needs_structured")  # its schema is on page three

    run_alone(scenario())


@pytest.mark.case("DISC-01", "DISC-02")
@pytest.mark.parametrize(
    ("word", "told"),
    [("same-cursor", "in a circle"), ("empty-cursor", "in a circle"), ("endless", "more than 1,000 pages")],
)
def test_a_listing_without_an_end_fails_the_first_call_which_is_not_made(word: str, told: str) -> None:
    async def scenario() -> None:
        async with raw_server(word) as connection:
            view = connection.client(call_timeout=5)
            with pytest.raises(McpInvalidResult, match=f"{told}. No tool was called|{told} pages. No tool was called"):
                await view.call_tool("reject", {})

    run_alone(scenario())


def test_all_pages_of_a_first_call_share_one_deadline() -> None:
    async def scenario() -> None:
        async with raw_server("endless") as connection:
            with pytest.raises(McpTimeout):
                await connection.client(list_timeout=0.01).call_tool("fine", {})

    run_alone(scenario())


def test_first_calls_that_wait_for_one_listing_have_their_own_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with raw_server() as connection:
            view = connection.client(list_timeout=0.3)

            async def never(send: object, *, timeout: float) -> None:
                await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=timeout)
                raise McpTimeout("no answer")

            monkeypatch.setattr(connection, "request", never)
            begun = asyncio.get_running_loop().time()
            ends = await asyncio.gather(*(view.call_tool(f"t{n}", {}) for n in range(8)), return_exceptions=True)
            assert all(isinstance(end, McpTimeout) for end in ends)
            assert asyncio.get_running_loop().time() - begun < 1.8

    run_alone(scenario())


@pytest.mark.case("DISC-08")
def test_a_listing_with_a_bad_tool_is_invalid_and_says_where() -> None:
    async def scenario() -> None:
        async with raw_server("bad-tool") as connection:
            with pytest.raises(McpInvalidResult, match=r"tools\[1\]\.inputSchema") as caught:
                await connection.client().list_tools()
            assert "sk-" not in str(caught.value)

    run_alone(scenario())


def test_a_server_that_has_no_tools_lists_none_and_has_none_to_be_called() -> None:
    async def scenario() -> None:
        async with raw_server("no-tools") as connection:
            view = connection.client()
            assert (await view.list_tools()).tools == ()
            with pytest.raises(McpNotListed):
                await view.call_tool("fine", {})

    run_alone(scenario())


@pytest.mark.case("JSON-08")
@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        "\ud800",
        {"\udfff": 1},
        {1: 2},
        b"x",
        (1,),
        {1},
        object(),
        type("S", (str,), {})("x"),
    ],
)
def test_arguments_that_are_no_plain_json_are_not_sent(value: Any) -> None:
    async def scenario() -> None:
        connection = raw_server()  # which is not even open
        with pytest.raises(McpInvalidArguments, match="are no plain JSON object") as caught:
            await connection.client().call_tool("echo", {"value": [value]})
        assert isinstance(caught.value, InvalidArguments)
        with pytest.raises(McpInvalidArguments):
            await connection.client().call_tool("echo", [value])  # type: ignore[arg-type]

    run_alone(scenario())


@pytest.mark.case("JSON-03")
@pytest.mark.parametrize("depth", [100, 900, 2_000, 20_000, 200_000])
def test_arguments_that_are_deeply_nested_are_not_sent(depth: int) -> None:
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    assert is_plain_json(value) == (depth == 100)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_what_counts_as_plain_json_comes_out_of_json_as_it_went_in(value: Any) -> None:
    if is_plain_json(value):
        assert json.loads(json.dumps(value, allow_nan=False)) == value
    else:
        with pytest.raises(ValueError, match=r"surrogate|Out of range"):
            json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "options",
    [
        {"allow": "add"},
        {"allow": [1]},
        {"allow": 5},
        {"call_timeout": 0},
        {"call_timeout": None},
        {"call_timeout": True},
        {"list_timeout": float("nan")},
        {"list_timeout": -1},
        {"max_inline_bytes": -1},
        {"max_inline_bytes": 1.5},
    ],
)
def test_options_of_a_view_that_could_not_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=next(iter(options))):
        raw_server().client(**options)
