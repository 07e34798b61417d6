"""The input and output of ACT.MCP, as objects and on the wire."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    ExternalResult,
    InvalidValue,
    McpCapability,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    McpInvoked,
    McpPage,
    McpTool,
    McpToolError,
    McpToolResult,
    ToolCall,
    from_wire,
    to_wire,
)
from tests.support.strategies import json_objects, results, texts

lines = texts.filter(lambda text: bool(text) and text.isprintable())
servers = lines.filter(lambda text: bool(text.strip()) and ":" not in text and text != "*")
_fields: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"server": servers, "name": lines},
    optional={"input_schema": json_objects, "description": texts, "title": texts, "output_schema": json_objects},
)
capabilities = _fields.map(lambda fields: McpCapability(**fields))
calls = st.builds(ToolCall, id=texts.filter(bool), name=lines, arguments=json_objects)
values = (
    st.just(McpDiscover())
    | st.builds(McpDiscover, server=servers)
    | st.builds(McpInvoke, server=servers, call=calls)
    | st.builds(McpDiscovered, capabilities=st.lists(capabilities, max_size=3).map(tuple))
    | st.builds(McpInvoked, result=results)
    | capabilities
)


@given(values)
@pytest.mark.promise("MCP-02", "MCP-06")
def test_the_wire_and_back(value: Any) -> None:
    wire: Any = to_wire(value)
    assert from_wire(type(value), json.loads(json.dumps(wire))) == value
    assert wire.get("operation") == getattr(value, "operation", None)


@pytest.mark.promise("MCP-02")
def test_the_wire_forms() -> None:
    call = ToolCall(id="1", name="read", arguments={"path": "a"})
    result = ExternalResult(call_id="1", source="files:read", status="success", content="a")
    assert to_wire(McpDiscover()) == {"operation": "discover"}
    assert to_wire(McpDiscover(server="files")) == {"operation": "discover", "server": "files"}
    assert to_wire(McpInvoke(server="files", call=call)) == {
        "operation": "invoke",
        "server": "files",
        "call": {"id": "1", "name": "read", "arguments": {"path": "a"}},
    }
    assert to_wire(McpDiscovered(capabilities=(McpCapability(server="files", name="read", input_schema={}),))) == {
        "operation": "discover",
        "capabilities": [{"server": "files", "name": "read", "inputSchema": {}}],
    }
    assert to_wire(McpInvoked(result=result)) == {
        "operation": "invoke",
        "result": {"callId": "1", "source": "files:read", "status": "success", "content": "a"},
    }


@attrs.frozen
class Request:
    """Holds either input, or none."""

    input: McpDiscover | McpInvoke | None


def test_either_input_is_found_by_its_operation() -> None:
    assert from_wire(Request, {"input": None}) == Request(None)
    assert from_wire(Request, {"input": {"operation": "discover"}}) == Request(McpDiscover())
    with pytest.raises(
        InvalidValue, match=r"^Request\.input: must have the operation 'discover' or 'invoke', not 'x'"
    ):
        from_wire(Request, {"input": {"operation": "x"}})
    with pytest.raises(InvalidValue, match=r"^Request\.input\.call: is missing"):
        from_wire(Request, {"input": {"operation": "invoke", "server": "a"}})
    with pytest.raises(InvalidValue, match="must have the operation 'discover'"):
        from_wire(McpDiscover, {"server": "files"})


CALL = ToolCall(id="1", name="a", arguments={})
BAD: dict[str, Any] = {
    "McpDiscover.server": lambda: McpDiscover(server="a:b"),
    "McpDiscover.server ": lambda: McpDiscover(server=None),  # type: ignore[arg-type]
    "McpInvoke.server": lambda: McpInvoke(server="", call=CALL),
    "McpInvoke.call": lambda: McpInvoke(server="a", call={"id": "1"}),  # type: ignore[arg-type]
    "McpInvoke.call.name": lambda: McpInvoke(server="a", call=ToolCall(id="1", name="a\n", arguments={})),
    "McpDiscovered.capabilities": lambda: McpDiscovered(capabilities=[]),  # type: ignore[arg-type]
    "McpDiscovered.capabilities[0]": lambda: McpDiscovered(capabilities=({},)),  # type: ignore[arg-type]
    "McpInvoked.result": lambda: McpInvoked(result=None),  # type: ignore[arg-type]
    "McpCapability.server": lambda: McpCapability(server="a\n", name="a"),
    "McpCapability.name": lambda: McpCapability(server="a", name=""),
    "McpCapability.inputSchema": lambda: McpCapability(server="a", name="a", input_schema=True),  # type: ignore[arg-type]
    "McpCapability.outputSchema": lambda: McpCapability(server="a", name="a", output_schema=[]),  # type: ignore[arg-type]
    "McpCapability.description": lambda: McpCapability(server="a", name="a", description=5),  # type: ignore[arg-type]
    "McpCapability.title": lambda: McpCapability(server="a", name="a", title=None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("field", BAD)
@pytest.mark.promise("MCP-01")
def test_a_constructor_refuses_the_wrong_shape_and_names_the_field(field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        BAD[field]()
    assert caught.value.field == field.strip()
    assert str(caught.value).isprintable()


@pytest.mark.promise("MCP-07")
def test_a_capability_may_be_without_a_schema_and_an_answer_is_not_judged_when_it_is_made() -> None:
    assert not McpCapability(server="a", name="b").input_schema
    bad: Any = object()
    kept: list[Any] = [
        McpPage(tools=bad).tools,
        McpTool(name=bad, input_schema=bad).name,
        McpToolResult(is_error=bad).is_error,
        McpToolError(code=bad, message=bad).code,
    ]
    assert kept == [bad] * 4


def test_records_compare_and_show_themselves_by_class_and_values() -> None:
    one, same, other = McpDiscover(server="a"), McpDiscover(server="a"), McpDiscover()
    assert (one == same, one == other, one == McpInvoke(server="a", call=CALL), one == "a") == (
        True,
        False,
        False,
        False,
    )
    assert (
        repr(McpInvoke(server="a", call=CALL))
        == "McpInvoke(server='a', call=ToolCall(id='1', name='a', arguments={}))"
    )
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one.server = "b"  # type: ignore[misc]
