"""Pages as clients give them: what is taken, and where a bad one is said to be bad."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import UNSET, DiscoveryError, McpCapability, McpDiscover, McpPage, McpTool
from tests.support import run
from tests.support.mcp_memory import ALL, Server, registry
from tests.support.strategies import NOT_JSON, json_objects, texts

GOOD = McpTool(name="good", input_schema={})


def _found(answer: Any) -> tuple[McpCapability, ...]:
    return run(registry(Server({None: answer})).execute(McpDiscover(), ALL)).capabilities


def _problem(answer: Any) -> str:
    with pytest.raises(DiscoveryError) as caught:
        _found(answer)
    message = str(caught.value)
    start, end = "MCP server 'files', page 1: ", ". Nothing is returned."
    assert message.startswith(start)
    assert message.endswith(end)
    return message.removeprefix(start).removesuffix(end)


def _in_second_place(**fields: Any) -> McpPage:
    return McpPage(tools=[GOOD, McpTool(**{"name": "bad", "input_schema": {}, **fields})])


@attrs.frozen
class NearlyTool:
    """Has all that a tool has."""

    name: str = "a"
    input_schema: dict[str, Any] = attrs.field(factory=dict)
    description: str = ""
    title: str = ""
    output_schema: dict[str, Any] = attrs.field(factory=dict)


class SlyTool(McpTool):
    pass


class SlyPage(McpPage):
    pass


class LazyList(list[McpTool]):
    pass


@pytest.mark.parametrize(
    "answer",
    [None, {"tools": []}, [GOOD], (GOOD,), SlyPage(tools=[GOOD]), iter([]), McpPage],
    ids=lambda answer: type(answer).__name__,
)
@pytest.mark.promise("MCP-06")
def test_what_is_no_page_is_refused(answer: Any) -> None:
    assert _problem(answer).startswith("list_tools must return an McpPage, not ")


@pytest.mark.parametrize(
    "tools",
    [None, "tools", {"a": GOOD}, {1}, (tool for tool in [GOOD]), iter([GOOD]), LazyList([GOOD]), range(2), UNSET],
    ids=lambda tools: type(tools).__name__,
)
@pytest.mark.promise("MCP-06")
@pytest.mark.case("DISC-08")
def test_tools_are_a_tuple_or_a_list(tools: Any) -> None:
    assert _problem(McpPage(tools=tools)).startswith("tools: must be a tuple or a list of McpTool, not ")


@pytest.mark.parametrize("cursor", [0, False, UNSET, b"a", ["a"], "\ud800"], ids=repr)
@pytest.mark.promise("MCP-09")
@pytest.mark.case("DISC-02")
def test_a_cursor_is_text_or_none(cursor: Any) -> None:
    assert _problem(McpPage(tools=[], next_cursor=cursor)).startswith("nextCursor: ")


@pytest.mark.parametrize(
    "tool",
    [None, "a", {"name": "a"}, NearlyTool(), SlyTool(name="a", input_schema={}), McpCapability(server="a", name="b")],
    ids=lambda tool: type(tool).__name__,
)
@pytest.mark.promise("MCP-06")
@pytest.mark.case("DISC-08")
def test_an_item_that_is_no_tool_is_named_by_its_place(tool: Any) -> None:
    assert _problem(McpPage(tools=(GOOD, tool))).startswith("tools[1]: must be an McpTool, not ")


NAMES: list[Any] = ["", None, 5, b"a", "a\nb", "a\x1b", "a\x85", "a\u2028", "a\ud800"]
TEXTS: list[Any] = [None, 5, ["a"], {}]
NO_SCHEMAS: list[Any] = [None, True, False, [], "{}", 5, ()]
BAD: list[tuple[str, Any, str]] = [
    *(("name", name, "name") for name in NAMES),
    *(("description", text, "description") for text in TEXTS),
    *(("title", text, "title") for text in TEXTS),
    *(("input_schema", schema, "inputSchema") for schema in [UNSET, *NO_SCHEMAS]),
    *(("output_schema", schema, "outputSchema") for schema in NO_SCHEMAS),
]


@pytest.mark.parametrize(("field", "value", "told"), BAD, ids=[f"{field}={value!r}" for field, value, _ in BAD])
@pytest.mark.promise("MCP-06", "MCP-07", "D-MCP-01")
@pytest.mark.case("DISC-08", "SEC-06b")
def test_a_bad_field_is_named_with_its_place(field: str, value: Any, told: str) -> None:
    problem = _problem(_in_second_place(**{field: value}))
    assert problem.startswith(f"tools[1].{told}: ")
    assert problem.isprintable()


@pytest.mark.parametrize("field", ["input_schema", "output_schema"])
@pytest.mark.parametrize("bad", [name for name in NOT_JSON if "surrogate" not in name])
@pytest.mark.promise("MCP-07", "D-VAL-07b")
@pytest.mark.case("JSON-03b", "JSON-08b", "DISC-08")
def test_a_schema_that_is_no_json_is_refused_at_once(field: str, bad: str) -> None:
    begun = time.process_time()
    problem = _problem(_in_second_place(**{field: {"x": NOT_JSON[bad]}}))
    assert problem.startswith(f"tools[1].{'inputSchema' if field == 'input_schema' else 'outputSchema'}")
    assert time.process_time() - begun < 1


SCHEMAS: list[dict[str, Any]] = [
    {},
    {"type": "object", "properties": {"raw": True, "no": False}},
    {"additionalProperties": True, "items": False},
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}},
    {"$ref": "https://example.com/schema.json"},
    {"type": "no such type", "properties": 5},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
@pytest.mark.promise("MCP-07")
@pytest.mark.case("DISC-07", "DISC-08")
def test_any_json_object_is_a_schema_and_stays_as_it_is(schema: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    (found,) = _found(McpPage(tools=[McpTool(name="a", input_schema=schema, output_schema=schema)]))
    assert found.input_schema is schema
    assert found.output_schema is schema
    assert schema == before


def _tool_of(name: str, fields: dict[str, Any]) -> McpTool:
    return McpTool(name=name, **fields)


_fields = st.fixed_dictionaries(
    {"input_schema": json_objects},
    optional={"description": texts, "title": texts, "output_schema": json_objects},
)


@given(st.dictionaries(texts.filter(lambda text: text and text.isprintable()), _fields, max_size=5), st.booleans())
@pytest.mark.promise("MCP-06", "MCP-07")
def test_a_capability_is_what_the_server_sent_and_no_more(tools: dict[str, Any], as_list: bool) -> None:
    listed = [_tool_of(name, fields) for name, fields in tools.items()]
    found = _found(McpPage(tools=listed if as_list else tuple(listed)))
    assert found == tuple(McpCapability(server="files", name=name, **fields) for name, fields in tools.items())


@pytest.mark.promise("D-MCP-10")
def test_lone_surrogates_in_what_a_server_says_of_a_tool_are_replaced() -> None:
    schema: Any = {"type": "object", "description": "a\ud800b", "\udfff": [{"x": "\ud83d\ude00"}]}
    (found,) = _found(McpPage(tools=[McpTool(name="a", input_schema=schema, description="\ud800", title="t\udc00")]))
    assert found == McpCapability(
        server="files",
        name="a",
        input_schema={"type": "object", "description": "a\ufffdb", "\ufffd": [{"x": "\U0001f600"}]},
        description="\ufffd",
        title="t\ufffd",
    )
