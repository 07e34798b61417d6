"""The registry of MCP clients: names, permissions, and what it refuses before a client is asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    DiscoveryError,
    DuplicateName,
    InvalidArguments,
    InvalidClient,
    InvalidInput,
    InvalidName,
    InvalidValue,
    McpDiscover,
    McpRegistry,
    PermissionDenied,
    Sandbox,
    ToolCall,
    UnknownServer,
)
from tests.support import run
from tests.support.mcp_memory import ALL, Server, invoke, names_found, page, registry
from tests.support.strategies import NOT_JSON

BAD_NAMES = [
    "",
    " ",
    "\t",
    "*",
    "a:b",
    ":",
    "a\nb",
    "a\r",
    "a\x1b[2J",
    "a\x85b",
    "a\u2028b",
    "a\x07",
    "a\ud800",
    None,
    5,
    b"a",
]


@pytest.mark.parametrize("name", BAD_NAMES, ids=repr)
@pytest.mark.promise("MCP-13", "D-MCP-01")
@pytest.mark.case("DISC-13", "SEC-06b")
def test_a_bad_server_name_is_refused_on_one_line(name: Any) -> None:
    mcp = McpRegistry()
    with pytest.raises(InvalidName, match=r"^McpRegistry\.register, server name: .*\.$") as caught:
        mcp.register(name, Server())
    assert str(caught.value).isprintable()
    assert mcp.servers() == ()


@pytest.mark.promise("MCP-13")
@pytest.mark.case("DISC-13")
def test_names_are_taken_as_they_are_and_only_once() -> None:
    mcp = registry({"a": Server(), "A": Server(), " a": Server(), "ä b/c": Server()})
    assert mcp.servers() == ("a", "A", " a", "ä b/c")
    with pytest.raises(DuplicateName, match="MCP server 'a': the name is taken by a Server"):
        mcp.register("a", Server())


@pytest.mark.promise("MCP-13")
def test_the_undo_is_true_once_and_leaves_a_successor_alone() -> None:
    mcp, client = McpRegistry(), Server()
    undo = mcp.register("files", client)
    assert undo()
    again = mcp.register("files", client)
    assert not undo()
    assert mcp.servers() == ("files",)
    assert again()
    assert mcp.servers() == ()


class Plain:
    def list_tools(self, cursor: Any = None) -> Any: ...
    async def call_tool(self, name: str, arguments: Any) -> Any: ...


@pytest.mark.parametrize("client", [None, object(), Server, Plain(), {}, "files"])
@pytest.mark.promise("MCP-16")
def test_what_is_no_client_is_refused(client: Any) -> None:
    with pytest.raises(InvalidClient, match=r"MCP server 'files': needs an McpClient with async list_tools\(\)"):
        McpRegistry().register("files", client)


@pytest.mark.promise("CFG-06b")
def test_the_limits_of_a_discovery_are_options_of_the_registry() -> None:
    server = Server({None: page("a", "b", cursor="1"), "1": page("c")})
    run(registry(server, max_discovery_pages=2, max_capabilities=3).execute(McpDiscover(), ALL))
    for limits in ({"max_discovery_pages": 1}, {"max_capabilities": 2}, {"max_discovery_bytes": 5}):
        (option,) = limits
        with pytest.raises(DiscoveryError, match=f"Raise {option} of the McpRegistry"):
            run(registry(server, **limits).execute(McpDiscover(), ALL))


@pytest.mark.parametrize("limit", ["max_discovery_pages", "max_capabilities", "max_discovery_bytes"])
@pytest.mark.parametrize("number", [0, -1, True, 1.0, "5", -(10**5000)], ids=range(6))
@pytest.mark.promise("MCP-10")
def test_a_bad_limit_is_refused(limit: str, number: Any) -> None:
    with pytest.raises(InvalidValue, match=rf"McpRegistry\.{limit}: must be a positive integer, not"):
        McpRegistry(**{limit: number})


@pytest.mark.parametrize("seconds", [0, -1, True, float("nan"), float("inf"), "5"], ids=repr)
def test_a_bad_timeout_is_refused(seconds: Any) -> None:
    with pytest.raises(InvalidValue, match=r"McpRegistry\.discovery_timeout: must be a positive"):
        McpRegistry(discovery_timeout=seconds)


INPUTS = [McpDiscover(), McpDiscover(server="files"), invoke()]


@pytest.mark.parametrize("input", INPUTS, ids=lambda one: str(one.operation))
@pytest.mark.promise("MCP-04", "COMP-06")
def test_a_server_that_is_not_permitted_is_not_asked(input: Any) -> None:
    client = Server()
    with pytest.raises(PermissionDenied, match=r"MCP server 'files': .*Sandbox\(mcp=\['files'\]\)"):
        run(registry(client).execute(input, Sandbox(tools=["*"], network=["*"], mcp=["file", "FILES"])))
    assert client.untouched


@pytest.mark.promise("MCP-04")
@pytest.mark.case("DISC-06")
def test_one_denied_server_fails_the_whole_discovery_before_any_is_asked() -> None:
    good, denied = Server(), Server()
    mcp = registry({"good": good, "denied": denied})
    with pytest.raises(PermissionDenied, match="'denied'"):
        run(mcp.execute(McpDiscover(), Sandbox(mcp=["good"])))
    assert good.untouched
    assert denied.untouched
    run(mcp.execute(McpDiscover(server="good"), Sandbox(mcp=["good"])))
    assert len(good.cursors) == 1


@pytest.mark.parametrize("input", INPUTS[1:], ids=lambda one: str(one.operation))
@pytest.mark.promise("MCP-04", "MCP-14")
def test_a_permitted_server_that_is_not_registered_is_unknown(input: Any) -> None:
    mcp = registry({"other": Server(), "files": Server()})
    mcp.register("third", Server())
    assert mcp._remove("files", mcp._clients["files"])
    with pytest.raises(UnknownServer, match=r"MCP server 'files': .*Registered servers: 'other', 'third'\."):
        run(mcp.execute(input, ALL))


def test_permission_comes_before_the_look_up() -> None:
    with pytest.raises(PermissionDenied):
        run(McpRegistry().execute(McpDiscover(server="files"), Sandbox()))


class Sly(McpDiscover):
    pass


@pytest.mark.parametrize(
    "input",
    [None, [], {}, "discover", {"operation": "discover"}, ToolCall(id="1", name="a", arguments={}), Sly()],
    ids=repr,
)
@pytest.mark.promise("MCP-01")
def test_any_other_input_is_refused_before_a_client_is_asked(input: Any) -> None:
    client = Server()
    with pytest.raises(InvalidInput, match=r"takes an McpDiscover or an McpInvoke, not "):
        run(registry(client).execute(input, ALL))
    assert client.untouched


def test_a_sandbox_is_needed() -> None:
    with pytest.raises(InvalidInput, match="sandbox must be a Sandbox, not None"):
        run(registry(Server()).execute(McpDiscover(), None))  # type: ignore[call-overload]


@pytest.mark.parametrize("bad", NOT_JSON)
@pytest.mark.promise("MCP-01", "MCP-15", "D-VAL-07b")
@pytest.mark.case("JSON-03b", "JSON-08b")
def test_arguments_that_are_no_json_reach_no_client(bad: str) -> None:
    client = Server()
    with pytest.raises(InvalidArguments, match=r"^MCP tool 'files:read' \(call 'c1'\): arguments.*\.$"):
        run(registry(client).execute(invoke(arguments={"x": NOT_JSON[bad]}), ALL))
    assert client.untouched


@given(st.lists(st.booleans(), max_size=12))
@pytest.mark.promise("MCP-03", "MCP-13")
def test_a_discovery_asks_those_that_are_registered_now(changes: list[bool]) -> None:
    mcp = McpRegistry()
    undos: list[Any] = []
    here: list[str] = []
    for number, adds in enumerate(changes):
        if adds or not undos:
            name = f"s{number}"
            undos.append((name, mcp.register(name, Server({None: page("t")}))))
            here.append(name)
        else:
            name, undo = undos.pop(number % len(undos))
            assert undo()
            here.remove(name)
    assert list(mcp.servers()) == here
    assert run(names_found(mcp)) == [f"{name}:t" for name in here]
