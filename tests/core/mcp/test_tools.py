"""The tools of a server as Ditto's own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    ACT_TOOL,
    UNSET,
    DuplicateName,
    ExternalResult,
    InvalidInput,
    InvalidName,
    InvalidResult,
    McpPage,
    McpTool,
    McpToolResult,
    PermissionDenied,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolRegistry,
    UnknownServer,
    interaction_worker,
    mcp_tools,
    with_prefix,
)
from ditto_core.tools.tool import EFFECTS, is_tool_name
from tests.support import run
from tests.support.mcp_memory import ALL, Server, page, registry
from tests.support.strategies import json_objects, json_values

BOTH = Sandbox(tools=["*"], mcp=["*"])


def _tools(client: Server, **options: Any) -> tuple[Tool[Any], ...]:
    return run(mcp_tools(registry(client), ALL, "files", **options))


def _names(client: Server, **options: Any) -> dict[str, str]:
    return {tool.name: tool.source.removeprefix("files:") for tool in _tools(client, **options)}


def _call(tool: Tool[Any], sandbox: Sandbox = BOTH, arguments: Any = None) -> ExternalResult:
    tools = ToolRegistry()
    tools.register(tool)
    call = ToolCall(id="c1", name=tool.name, arguments=arguments or {})
    return run(tools.call(call, ToolContext(sandbox=sandbox)))


@pytest.mark.promise("D-MCP-07")
def test_a_tool_says_what_the_server_says_of_it() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"raw": True}}
    listed = McpTool(name="read", input_schema=schema, description="Read.", title="Read", output_schema={"a": 1})
    client = Server({None: McpPage(tools=[listed, McpTool(name="bare", input_schema={})])})
    full, bare = _tools(client)
    assert (full.name, full.input_schema, full.description, full.title, full.output_schema, full.source) == (
        "read",
        schema,
        "Read.",
        "Read",
        {"a": 1},
        "files:read",
    )
    assert (bare.description, bare.title, bare.output_schema, bare.source) == ("", "", UNSET, "files:bare")


@given(json_objects, json_values, st.booleans())
@pytest.mark.promise("D-MCP-07")
def test_a_call_goes_to_the_server_and_its_answer_keeps_the_source(arguments: Any, value: Any, failed: bool) -> None:
    client = Server({None: page("a.b/c")}, McpToolResult(structured_content=value, is_error=failed))
    (tool,) = _tools(client, rename={"a.b/c": "abc"})
    result = _call(tool, arguments=arguments)
    assert client.calls == [("a.b/c", arguments)]
    assert (result.call_id, result.source, result.structured_content) == ("c1", "files:a.b/c", value)
    assert (result.status, bool(result.error)) == ("failed" if failed else "success", failed)


@pytest.mark.promise("D-MCP-07")
def test_both_permissions_are_asked_for() -> None:
    client = Server({None: page("read")})
    (tool,) = _tools(client)
    with pytest.raises(PermissionDenied, match="Tool 'read'"):
        _call(tool, Sandbox(mcp=["*"]))
    with pytest.raises(PermissionDenied, match="MCP server 'files'"):
        _call(tool, Sandbox(tools=["*"]))
    assert client.calls == []
    assert _call(tool, Sandbox(tools=["read"], mcp=["files"])).content == "done"
    with pytest.raises(PermissionDenied, match="MCP server 'files'"):
        run(mcp_tools(registry(client), Sandbox(tools=["*"]), "files"))


@pytest.mark.promise("D-MCP-07")
def test_all_names_that_no_tool_may_have_are_listed_at_once() -> None:
    client = Server({None: page("good", "a.b", "c d", "é", "x" * 65)})
    with pytest.raises(
        InvalidName, match=r"these are none: 'a\.b', 'c d', 'é', 'x{65}'\. Give them others with rename"
    ):
        _tools(client)
    rename = {"a.b": "a_b", "c d": "cd", "é": "e", "x" * 65: "x"}
    assert list(_names(client, rename=rename)) == ["good", "a_b", "cd", "e", "x"]
    with pytest.raises(InvalidName, match=r"none: 'f\.good'"):
        _tools(client, prefix="f.", include={"good"})


def test_names_are_chosen_renamed_and_prefixed() -> None:
    client = Server({None: page("a", "b", "c")})
    assert _names(client) == {"a": "a", "b": "b", "c": "c"}
    assert _names(client, include={"b", "a"}) == {"a": "a", "b": "b"}
    assert _names(client, exclude=["a"]) == {"b": "b", "c": "c"}
    assert _names(client, include=["a", "b"], exclude=["a"], prefix="f_") == {"f_b": "b"}
    assert _names(client, rename=str.upper, prefix="f_") == {"f_A": "a", "f_B": "b", "f_C": "c"}
    assert _names(client, include=[]) == {}


@pytest.mark.parametrize("option", ["include", "exclude", "rename"])
def test_a_name_that_the_server_does_not_offer_is_refused(option: str) -> None:
    names: Any = {"a": "x", "read_fil": "y"} if option == "rename" else ["a", "read_fil"]
    message = rf"{option} has names that the server does not offer: 'read_fil'\. It offers 'a', 'b'\."
    with pytest.raises(InvalidName, match=message):
        _tools(Server({None: page("a", "b")}), **{option: names})


def test_two_tools_of_the_same_name_here_are_refused() -> None:
    with pytest.raises(DuplicateName, match="more than one tool would have the name 'a'"):
        _tools(Server({None: page("a", "A")}), rename=str.lower)


BAD: list[dict[str, Any]] = [
    {"prefix": None},
    {"include": "a"},
    {"include": 5},
    {"include": [5]},
    {"include": [["a"]]},
    {"exclude": "a"},
    {"exclude": None},
    {"rename": {5: "a"}},
    {"rename": {"a": 5}},
    {"rename": lambda name: None},
]


@pytest.mark.parametrize("options", BAD)
def test_options_of_another_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^mcp_tools"):
        _tools(Server({None: page("a")}), **options)


def test_a_registry_is_needed_and_a_server_that_is_there() -> None:
    with pytest.raises(InvalidInput, match="needs an McpRegistry, not a dict"):
        run(mcp_tools({}, ALL, "files"))  # type: ignore[arg-type]
    with pytest.raises(UnknownServer):
        run(mcp_tools(registry({}), ALL, "files"))


def test_effects_are_every_one_unless_the_application_says_otherwise() -> None:
    client = Server({None: page("a")})
    (tool,) = _tools(client)
    assert (tool.effects, tool.requires_approval) == (EFFECTS, False)
    (tool,) = _tools(client, effects={"read"}, requires_approval=True)
    assert (tool.effects, tool.requires_approval) == (frozenset({"read"}), True)


def test_wrapped_and_through_a_runtime_it_is_a_tool_like_any_other() -> None:
    client = Server({None: page("read")})

    async def scenario() -> ExternalResult:
        mcp = registry(client)
        tools = [with_prefix(tool, "files_") for tool in await mcp_tools(mcp, BOTH, "files")]
        async with Runtime(workers=[interaction_worker(tools=tools, mcp=mcp)], sandbox=BOTH) as runtime:
            assert [definition.name for definition in runtime.tools()] == ["files_read"]
            return await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="1", name="files_read", arguments={})))

    assert run(scenario()).source == "files:read"


def test_a_bad_answer_and_a_removed_server_are_told_as_of_the_server() -> None:
    client, mcp = Server({None: page("read")}, 5), registry({})
    undo = mcp.register("files", client)
    (tool,) = run(mcp_tools(mcp, ALL, "files"))
    with pytest.raises(InvalidResult, match=r"^MCP tool 'files:read' \(call 'c1'\)"):
        _call(tool)
    assert undo()
    with pytest.raises(UnknownServer):
        _call(tool)


@given(st.lists(st.text(min_size=1, max_size=4).filter(str.isprintable), unique=True, max_size=6))
@pytest.mark.promise("D-MCP-07")
def test_either_every_name_is_one_or_all_others_are_named(names: list[str]) -> None:
    client = Server({None: page(*names)})
    illegal = [name for name in names if not is_tool_name(name)]
    if not illegal:
        assert list(_names(client)) == names
        return
    with pytest.raises(InvalidName) as caught:
        _tools(client)
    assert all(f"'{name}'" in str(caught.value) for name in illegal)
