"""Servers that come, go and change between discoveries and calls, against a plain model of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from ditto_core import DiscoveryError, McpToolResult, PermissionDenied, Sandbox, UnknownServer
from tests.support import run
from tests.support.mcp_memory import Server, invoke, names_found, page, registry

MAX_PAGES, MAX_TOOLS = 6, 8

servers = st.sampled_from(["a", "b", "c"])
sizes = st.lists(st.integers(0, 3), min_size=1, max_size=4)
flaws = st.sampled_from(["", "", "", "endless", "twice", "raises"])


def _pages(sizes: list[int], flaw: str) -> tuple[dict[str | None, Any], list[str]]:
    """Return pages of these sizes, spoilt as `flaw` says, and the names in them."""
    pages: dict[str | None, Any] = {}
    names = [f"{number}.{tool}" for number, size in enumerate(sizes) for tool in range(size)]
    for number, size in enumerate(sizes):
        last = number == len(sizes) - 1
        here = [f"{number}.{tool}" for tool in range(size)]
        if last and flaw == "twice":
            here = [*here, "again", "again"]
        cursor = str(number + 1) if not last else ("1" if flaw == "endless" else None)
        pages[str(number) if number else None] = page(*here, cursor=cursor)
    if flaw == "endless":
        pages["1"] = page(cursor="1") if len(sizes) == 1 else pages["1"]
    if flaw == "raises":
        pages[None] = OSError("gone")
    return pages, names


class Servers(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.mcp = registry({}, max_discovery_pages=MAX_PAGES, max_capabilities=MAX_TOOLS)
        self.here: dict[str, tuple[Server, Any, list[int], str, list[str]]] = {}

    @rule(name=servers, sizes=sizes, flaw=flaws)
    def comes_or_changes(self, name: str, sizes: list[int], flaw: str) -> None:
        pages, names = _pages(sizes, flaw)
        if name in self.here:
            client, undo, *_ = self.here[name]
            client.pages = pages
        else:
            client = Server(pages, McpToolResult(content=name))
            undo = self.mcp.register(name, client)
        self.here[name] = (client, undo, sizes, flaw, names)

    @rule(name=servers)
    def goes(self, name: str) -> None:
        if name in self.here:
            assert self.here.pop(name)[1]()

    @rule(asked=st.none() | servers)
    def is_discovered(self, asked: str | None) -> None:
        if asked is not None and asked not in self.here:
            with pytest.raises(UnknownServer):
                run(names_found(self.mcp, asked))
            return
        chosen = [asked] if asked else list(self.here)
        before = {name: len(self.here[name][0].cursors) for name in self.here}
        needs_pages = sum(len(self.here[name][2]) for name in chosen)
        flawed = any(self.here[name][3] for name in chosen)
        expected = [f"{name}:{tool}" for name in chosen for tool in self.here[name][4]]
        if flawed or needs_pages > MAX_PAGES or len(expected) > MAX_TOOLS:
            with pytest.raises((DiscoveryError, OSError)):
                run(names_found(self.mcp, asked))
        else:
            assert run(names_found(self.mcp, asked)) == expected
        spent = {name: len(self.here[name][0].cursors) - before[name] for name in self.here}
        assert sum(spent.values()) <= MAX_PAGES
        assert all(name in chosen or not count for name, count in spent.items())

    @rule(name=servers, permitted=st.booleans())
    def is_called(self, name: str, permitted: bool) -> None:
        work = self.mcp.execute(invoke(name), Sandbox(mcp=[name] if permitted else []))
        if permitted and name in self.here:
            assert run(work).result.content == name
        else:
            with pytest.raises(UnknownServer if permitted else PermissionDenied):
                run(work)

    @invariant()
    def names_are_those_that_are_here(self) -> None:
        assert sorted(self.mcp.servers()) == sorted(self.here)


@pytest.mark.promise("MCP-08", "MCP-09", "MCP-11", "MCP-12", "MCP-13", "MCP-14", "MCP-21")
@pytest.mark.case("DISC-14", "DISC-06")
def test_servers_that_come_go_and_change() -> None:
    run_state_machine_as_test(Servers, settings=settings(stateful_step_count=25, max_examples=40))
