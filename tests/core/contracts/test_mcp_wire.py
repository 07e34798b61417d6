"""The JSON form of what the MCP node takes and gives, and of what clients answer, both ways."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    InteractionError,
    McpCapability,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    McpInvoked,
    McpPage,
    McpTool,
    McpToolError,
    McpToolResult,
    from_wire,
    to_wire,
)
from ditto_core.contracts.content import enter_content
from tests.support.strategies import contents, errors, json_objects, json_values, names, references, results, texts

_lines = names.filter(str.isprintable)
_servers = st.sampled_from(["files", "ä b/c"])
_described = {"description": texts, "title": texts, "output_schema": json_objects}
_tools = st.fixed_dictionaries({"name": names, "input_schema": json_objects}, optional=_described).map(
    lambda fields: McpTool(**fields)
)
_pages = st.builds(McpPage, tools=st.lists(_tools, max_size=3).map(tuple), next_cursor=st.none() | texts)
_answers = st.builds(
    McpToolResult,
    content=st.just(UNSET) | contents.map(lambda content: enter_content(content, "")),
    structured_content=st.just(UNSET) | json_values,
    references=st.just(UNSET) | st.lists(references, max_size=2).map(tuple),
    is_error=st.booleans(),
    error=st.just(UNSET) | errors,
)
_capabilities = st.fixed_dictionaries(
    {"server": _servers, "name": _lines}, optional={"input_schema": json_objects, **_described}
).map(lambda fields: McpCapability(**fields))
_inputs = st.builds(McpDiscover, server=st.just(UNSET) | _servers)
_outputs = st.builds(McpDiscovered, capabilities=st.lists(_capabilities, max_size=3).map(tuple))


@given(st.one_of(_tools, _pages, _answers, _capabilities, _inputs, _outputs))
@pytest.mark.promise("VAL-07b")
def test_a_round_trip_gives_an_equal_object(value: Any) -> None:
    wire = json.loads(json.dumps(to_wire(value), allow_nan=False))
    back = from_wire(type(value), wire)
    assert back == value
    assert to_wire(back) == wire


@given(_servers, _lines, json_objects, results)
@pytest.mark.promise("VAL-07b")
def test_calls_and_their_results_travel_with_their_operation(
    server: str, name: str, arguments: Any, result: Any
) -> None:
    call = {"id": "c1", "name": name, "arguments": arguments}
    wire = {"operation": "invoke", "server": server, "call": call}
    assert to_wire(from_wire(McpInvoke, wire)) == wire
    invoked = from_wire(McpInvoked, to_wire(McpInvoked(result=result)))
    assert from_wire(McpInvoked, to_wire(invoked)) == invoked


@pytest.mark.promise("VAL-07b")
def test_field_names_are_those_of_the_protocol_and_absent_fields_are_left_out() -> None:
    page = McpPage(tools=[McpTool(name="a", input_schema={}, output_schema={"x": 1})], next_cursor="")
    assert to_wire(page) == {"tools": [{"name": "a", "inputSchema": {}, "outputSchema": {"x": 1}}], "nextCursor": ""}
    assert from_wire(McpPage, {"tools": []}) == McpPage(tools=())
    answer = McpToolResult(structured_content=None, is_error=True)
    assert to_wire(answer) == {"structuredContent": None, "isError": True}
    assert from_wire(McpToolResult, to_wire(answer)) == answer


@pytest.mark.parametrize(
    ("message", "kind"),
    [("disk-full", InteractionError), ("password=horse", McpToolError)],
    ids=["shown", "not shown"],
)
def test_an_error_in_the_servers_words_is_read_as_what_may_be_made_of_it(message: str, kind: type[Any]) -> None:
    wire = {"isError": True, "error": {"code": "E1", "message": message, "retryable": False}}
    back = from_wire(McpToolResult, wire)
    assert back == McpToolResult(is_error=True, error=kind(code="E1", message=message, retryable=False))
    assert to_wire(back) == wire
