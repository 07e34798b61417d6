"""Discovery: pages, cursors, budgets, and what a client may raise."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import DiscoveryError, InvalidValue, McpDiscover, McpPage, McpTool, PermissionDenied
from tests.support import run
from tests.support.mcp_memory import ALL, SCHEMA, Server, names_found, page, registry


@pytest.mark.promise("MCP-03")
@pytest.mark.case("DISC-10")
def test_all_servers_are_asked_or_the_one_that_is_named() -> None:
    a, b = Server({None: page("search", "read")}), Server({None: page("search")})
    mcp = registry({"a": a, "b": b})
    assert run(names_found(mcp)) == ["a:search", "a:read", "b:search"]
    assert run(names_found(mcp, "b")) == ["b:search"]
    assert (len(a.cursors), len(b.cursors)) == (1, 2)
    assert run(names_found(registry({}))) == []


@pytest.mark.promise("MCP-05")
def test_discovering_calls_no_tool() -> None:
    client = Server({None: page("a")})
    run(names_found(registry(client)))
    assert client.calls == []


@pytest.mark.promise("MCP-08")
@pytest.mark.case("DISC-03")
def test_pages_are_followed_to_their_end_and_an_empty_one_ends_nothing() -> None:
    many = [f"t{number}" for number in range(101)]
    client = Server(
        {
            None: page(*many[:50], cursor="1"),
            "1": page(cursor="2"),
            "2": page(*many[50:100], cursor="3"),
            "3": page(*many[100:]),
        }
    )
    assert run(names_found(registry(client))) == [f"files:{name}" for name in many]
    assert client.cursors == [(), ("1",), ("2",), ("3",)]


@pytest.mark.promise("MCP-08", "MCP-09")
@pytest.mark.case("DISC-02")
def test_the_empty_cursor_is_a_cursor_like_any_other() -> None:
    client = Server({None: page("a", cursor=""), "": page("b")})
    assert run(names_found(registry(client))) == ["files:a", "files:b"]
    assert client.cursors == [(), ("",)]
    endless = Server({None: page("a", cursor=""), "": page("b", cursor="")})
    with pytest.raises(DiscoveryError, match=r"MCP server 'files', page 2: its nextCursor has come before"):
        run(names_found(registry(endless)))
    assert len(endless.cursors) == 2


@pytest.mark.promise("MCP-09")
@pytest.mark.case("DISC-01")
def test_a_cursor_that_comes_again_fails_at_once() -> None:
    tools = [f"t{number}" for number in range(8)]
    client = Server({None: page(*tools, cursor="x"), "x": page(*tools, cursor="x")})
    with pytest.raises(DiscoveryError, match="has come before"):
        run(names_found(registry(client)))
    assert client.cursors == [(), ("x",)]


@pytest.mark.promise("MCP-06")
@pytest.mark.case("DISC-10")
def test_a_name_that_one_server_lists_twice_is_an_error() -> None:
    same_page = Server({None: page("a", "search", "search")})
    with pytest.raises(DiscoveryError, match=r"page 1: tools\[2\]\.name: 'search' is listed twice"):
        run(names_found(registry(same_page)))
    two_pages = Server({None: page("search", cursor="1"), "1": page("search")})
    with pytest.raises(DiscoveryError, match=r"page 2: tools\[0\]\.name: 'search' is listed twice"):
        run(names_found(registry(two_pages)))


@pytest.mark.case("DISC-14")
def test_nothing_is_remembered() -> None:
    client = Server({None: page("old", "kept")})
    mcp = registry(client)
    assert run(names_found(mcp)) == ["files:old", "files:kept"]
    client.pages = {None: page("kept", "new")}
    assert run(names_found(mcp)) == ["files:kept", "files:new"]


def _paged(name: str, sizes: list[int]) -> Server:
    """Return a server with pages of these sizes."""
    cursors = [None, *(str(number) for number in range(1, len(sizes))), None]
    return Server(
        {
            cursors[number]: page(*(f"{name}{number}.{tool}" for tool in range(size)), cursor=cursors[number + 1])
            for number, size in enumerate(sizes)
        }
    )


catalogues = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), max_size=4)


@given(catalogues, st.integers(-2, 2), st.integers(-2, 2))
@pytest.mark.promise("MCP-08", "MCP-11", "MCP-12")
def test_the_budgets_are_spent_by_all_servers_together(catalogue: list[list[int]], pages: int, tools: int) -> None:
    needs_pages, needs_tools = sum(map(len, catalogue)), sum(map(sum, catalogue))
    max_pages, max_tools = max(1, needs_pages + pages), max(1, needs_tools + tools)
    servers = {f"s{number}": _paged(f"s{number}.", sizes) for number, sizes in enumerate(catalogue)}
    mcp = registry(servers, max_discovery_pages=max_pages, max_capabilities=max_tools)
    for _ in range(2):  # the budgets are full again for the next one
        if needs_pages > max_pages or needs_tools > max_tools:
            with pytest.raises(DiscoveryError, match=r"^MCP server 's\d'.*: the discovery needs more than"):
                run(names_found(mcp))
        else:
            found = run(names_found(mcp))
            assert len(found) == len(set(found)) == needs_tools
    assert sum(len(server.cursors) for server in servers.values()) <= 2 * max_pages


@pytest.mark.promise("MCP-10", "MCP-12")
def test_the_default_budgets() -> None:
    assert len(run(names_found(registry(_paged("t", [10] * 100))))) == 1000
    with pytest.raises(DiscoveryError, match=r"more than 100 pages.*Raise max_discovery_pages"):
        run(names_found(registry(_paged("t", [1] * 101))))
    with pytest.raises(DiscoveryError, match=r"more than 1,000 tools.*Raise max_capabilities"):
        run(names_found(registry(_paged("t", [1001]))))


def test_no_page_beyond_the_budget_is_asked_for() -> None:
    a, b = _paged("a", [1, 1, 1]), _paged("b", [1])
    with pytest.raises(DiscoveryError, match="MCP server 'a', page 2: the discovery needs more than 2 pages"):
        run(names_found(registry({"a": a, "b": b}, max_discovery_pages=2)))
    assert (len(a.cursors), len(b.cursors)) == (2, 0)
    with pytest.raises(DiscoveryError, match="MCP server 'b': the discovery needs more than 3 pages"):
        run(names_found(registry({"a": a, "b": b}, max_discovery_pages=3)))
    assert len(b.cursors) == 0


def test_the_budget_of_bytes_counts_the_servers_words() -> None:
    tool = McpTool(
        name="né",
        description="déjà",
        title="T",
        input_schema={"a": "é"},
        output_schema={"type": "object", "b": [1, 2]},
    )
    size = len("nédéjàT".encode()) + len('{"a":"é"}'.encode()) + len('{"type":"object","b":[1,2]}')
    servers = {"a": Server({None: McpPage(tools=[tool])}), "b": Server({None: McpPage(tools=[tool])})}
    assert len(run(names_found(registry(servers, max_discovery_bytes=2 * size)))) == 2
    with pytest.raises(DiscoveryError, match=rf"MCP server 'b', page 1: .*{2 * size - 1} bytes .*max_discovery_bytes"):
        run(names_found(registry(servers, max_discovery_bytes=2 * size - 1)))


@pytest.mark.promise("MCP-19")
@pytest.mark.case("DISC-06")
def test_what_a_client_raises_passes_unchanged_with_its_servers_name_on_it() -> None:
    error = OSError("refused")
    mcp = registry({"good": Server({None: page("a")}), "bad": Server({None: error})})
    for _ in range(2):
        with pytest.raises(OSError, match="refused") as caught:
            run(names_found(mcp))
        assert caught.value is error
        assert error.__notes__ == ["in the discovery of MCP server 'bad', page 1"]
    assert run(names_found(mcp, "good")) == ["good:a"]


@pytest.mark.parametrize("error", [PermissionDenied("no"), TimeoutError("slow"), DiscoveryError("theirs")], ids=repr)
def test_an_error_of_a_client_that_looks_like_one_of_ours_passes_too(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        run(names_found(registry(Server({None: error}), discovery_timeout=5)))
    assert caught.value is error


def test_an_exception_that_takes_no_notes_passes_as_well() -> None:
    class Sealed(Exception):
        def add_note(self, note: str, /) -> None:
            raise TypeError

    with pytest.raises(Sealed):
        run(names_found(registry(Server({None: Sealed()}))))


def test_a_value_that_a_client_could_not_build_names_the_server() -> None:
    with pytest.raises(
        DiscoveryError, match=r"MCP server 'files', page 1: Reference\.uri: must not be empty\."
    ) as caught:
        run(names_found(registry(Server({None: InvalidValue("Reference.uri", "must not be empty")}))))
    assert isinstance(caught.value.__cause__, InvalidValue)


@pytest.mark.case("CALL-16")
def test_a_group_of_exceptions_becomes_one_error() -> None:
    group = BaseExceptionGroup("unhandled", [OSError("504"), BaseExceptionGroup("x", [asyncio.CancelledError()])])
    with pytest.raises(DiscoveryError, match="several exceptions at once: CancelledError, OSError") as caught:
        run(names_found(registry(Server({None: group}))))
    assert caught.value.__cause__ is group


def test_the_timeout_is_one_for_the_whole_discovery_and_names_the_server() -> None:
    async def late() -> Any:
        await asyncio.Event().wait()

    mcp = registry(
        {"good": Server({None: page("a")}), "slow": Server({None: page(cursor="1"), "1": late})},
        discovery_timeout=0.02,
    )
    with pytest.raises(DiscoveryError, match=r"MCP server 'slow', page 2: the discovery did not end within 0\.02 s"):
        run(names_found(mcp))
    assert run(names_found(mcp, "good")) == ["good:a"]


def test_a_client_that_swallows_the_end_of_its_time_returns_nothing() -> None:
    async def stubborn() -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return page("a", cursor="1")

    client = Server({None: stubborn})
    with pytest.raises(DiscoveryError, match="did not end within"):
        run(names_found(registry(client, discovery_timeout=0.02)))
    assert client.cursors == [()]


@given(
    st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1), unique=True, max_size=8)
)
@pytest.mark.promise("D-MCP-01", "MCP-15")
def test_names_of_tools_are_taken_verbatim(names: list[str]) -> None:
    found = run(registry(Server({None: page(*names)})).execute(McpDiscover(), ALL)).capabilities
    assert [one.name for one in found] == names
    assert all(one.input_schema is SCHEMA for one in found)
