"""The tool made of a provider: what it looks like, what it asks for, and what it returns."""

from __future__ import annotations

from collections import deque
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    UNSET,
    ExternalResult,
    InvalidArguments,
    InvalidTool,
    JsonPart,
    ObserveInput,
    PermissionDenied,
    PluginHost,
    Reference,
    ReferencePart,
    Runtime,
    Sandbox,
    SearchHit,
    Tool,
    ToolCall,
    ToolInput,
    interaction_worker,
    web_search_tool,
    with_prefix,
)
from tests.support import run
from tests.support.plugins import SECRET, Pack, Provider, Secretive
from tests.support.searching import ORIGIN, QUERY, Searching, hit, search

ANY = Sandbox(tools=["*"], network=["*"])
hits = st.lists(
    st.builds(
        hit,
        st.sampled_from([f"https://{name}.example/é" for name in "abc"]),
        st.text(st.sampled_from("ab \n😀"), max_size=300),
        st.text(st.sampled_from("ab \n😀"), max_size=9).map(lambda text: text * 300),
    ),
    max_size=24,
)


@pytest.mark.promise("WEB-01")
def test_any_provider_becomes_the_tool_web_search() -> None:
    tool = web_search_tool(Searching())
    assert (tool.name, tool.effects, tool.is_async, tool.requires_approval) == ("web_search", {"network"}, True, False)
    assert tool.description
    assert with_prefix(tool, "brave_").name == "brave_web_search"


@pytest.mark.promise("WEB-01", "WEB-04", "WEB-07")
def test_a_success_holds_the_query_the_results_and_a_reference_to_each() -> None:
    result = search(Searching([hit("https://b.example/"), hit("https://a.example/", "T", "S")]), query=" a b ")
    assert result == ExternalResult(
        call_id="c1",
        source="web_search",
        status="success",
        structured_content={
            "query": "a b",
            "results": [
                {"title": "A", "url": "https://b.example/", "snippet": "about a"},
                {"title": "T", "url": "https://a.example/", "snippet": "S"},
            ],
            "truncated": False,
        },
        references=(Reference(uri="https://b.example/"), Reference(uri="https://a.example/")),
    )


@pytest.mark.promise("WEB-11")
@pytest.mark.parametrize("answer", [[], (), deque()])
def test_no_hits_are_a_success_without_results(answer: Any) -> None:
    result = search(Searching(answer))
    assert result.structured_content == {"query": QUERY, "results": [], "truncated": False}
    assert result.references == ()
    assert result.error is UNSET


@given(hits, st.integers(1, 20) | st.none(), st.sampled_from([list, tuple, deque]))
@pytest.mark.promise("WEB-04", "WEB-05", "WEB-07", "WEB-08")
@pytest.mark.case("WEB-16")
def test_the_first_hits_come_back_in_their_order_within_every_limit(
    found: list[SearchHit], limit: int | None, form: Any
) -> None:
    provider = Searching(form(found))
    result = search(provider, **({} if limit is None else {"limit": limit}))
    most = 5 if limit is None else limit
    assert provider.asked == [(QUERY, most)]
    content: Any = result.structured_content
    jsonschema.validate(content, web_search_tool(provider).output_schema)
    assert [row["url"] for row in content["results"]] == [one.url for one in found[:most]]
    assert result.references == tuple(Reference(uri=url) for url in dict.fromkeys(one.url for one in found[:most]))
    cut = any(len(row[name]) in {256, 2_048} for row in content["results"] for name in ("title", "snippet"))
    if len(found) > most or not cut:
        assert content["truncated"] == (len(found) > most)


def test_hits_beyond_the_limit_are_not_looked_at() -> None:
    result = search(Searching([hit(), None, hit("javascript:alert(1)")]), limit=1)
    assert result.status == "success"
    assert result.structured_content["truncated"] is True  # type: ignore[call-overload, index]


def test_an_observation_has_the_results_and_each_reference() -> None:
    async def main() -> Any:
        worker = interaction_worker(tools=[web_search_tool(Searching([hit()]))])
        async with Runtime(workers=[worker], sandbox=ANY) as runtime:
            call = ToolCall(id="c1", name="web_search", arguments={"query": QUERY})
            result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
            return result, await runtime.invoke(OBSERVE, ObserveInput(result=result))

    result, observation = run(main())
    assert observation.message.content == (
        JsonPart(data=result.structured_content),
        ReferencePart(reference=Reference(uri="https://a.example/")),
    )


@pytest.mark.promise("WEB-09")
def test_permission_for_the_tool_then_arguments_then_the_origin_and_only_then_the_provider() -> None:
    provider = Searching()
    nothing = Sandbox()
    no_network = Sandbox(tools=["web_search"], network=["https://other.example"])
    with pytest.raises(PermissionDenied, match="'web_search'"):
        search(provider, query="", sandbox=nothing)
    with pytest.raises(InvalidArguments, match="blank"):
        search(provider, query="", sandbox=no_network)
    with pytest.raises(PermissionDenied, match=r"'https://search\.example'.*network="):
        search(provider, sandbox=no_network)
    assert provider.asked == []
    assert search(provider).status == "success"
    assert len(provider.asked) == 1


@pytest.mark.parametrize("origin", [ORIGIN, "HTTPS://Search.Example:443/"])
@pytest.mark.parametrize("allowed", [ORIGIN, "https://SEARCH.example:443", "*"])
@pytest.mark.promise("WEB-09")
def test_origins_are_compared_in_their_normal_form(origin: str, allowed: str) -> None:
    sandbox = Sandbox(tools=["web_search"], network=[allowed])
    assert search(Searching(origin=origin), sandbox=sandbox).status == "success"


@pytest.mark.parametrize("other", ["http://search.example", "https://search.example:444", "https://x.search.example"])
@pytest.mark.promise("WEB-09")
def test_an_origin_that_is_only_alike_is_not_permitted(other: str) -> None:
    provider = Searching()
    with pytest.raises(PermissionDenied):
        search(provider, sandbox=Sandbox(tools=["*"], network=[other]))
    assert provider.asked == []


@pytest.mark.promise("WEB-09", "D-WEB-01")
def test_a_provider_that_opens_no_connection_needs_no_network() -> None:
    provider = Searching(origin=None)
    assert web_search_tool(provider).effects == frozenset()
    assert search(provider, sandbox=Sandbox(tools=["web_search"])).status == "success"


def test_the_origin_is_read_once() -> None:
    provider = Searching()
    tool: Tool[Any] = web_search_tool(provider)
    provider.origin = None
    worker = interaction_worker(tools=[tool])
    runtime = Runtime(workers=[worker], sandbox=Sandbox(tools=["*"]))
    call = ToolCall(id="c1", name="web_search", arguments={"query": QUERY})
    with pytest.raises(PermissionDenied):
        run(runtime.invoke(ACT_TOOL, ToolInput(call=call)))


@pytest.mark.parametrize(
    "origin",
    ["", "search.example", f"{ORIGIN}/v1", f"{ORIGIN}?q", "https://u:pass@h", "ftp://h", "*", 1, ..., b"https://h"],
)
@pytest.mark.promise("D-WEB-01")
def test_an_origin_that_is_none_is_refused_and_not_quoted(origin: Any) -> None:
    with pytest.raises(InvalidTool, match="the origin of a Searching is no origin") as refused:
        web_search_tool(Searching(origin=origin))
    assert "pass@" not in str(refused.value)


class Plain(Secretive):
    origin = None

    def search(self, query: str, limit: int) -> list[SearchHit]:
        return []


class Unreadable(Secretive):
    async def search(self, query: str, limit: int) -> list[SearchHit]:
        return []

    @property
    def origin(self) -> str:
        raise RuntimeError(SECRET)


@pytest.mark.parametrize("provider", [None, Provider, Secretive(), Plain(), Unreadable(), "brave", lambda query: []])
def test_what_is_no_provider_is_refused(provider: Any) -> None:
    with pytest.raises(InvalidTool, match="web_search_tool: ") as refused:
        web_search_tool(provider)
    assert SECRET not in str(refused.value)
    assert SECRET not in str(refused.value.__context__)


def test_a_provider_of_a_plugin_is_found_in_the_host_by_its_name() -> None:
    host = PluginHost()
    host.register(Pack(providers={"mine": Searching([hit()])}))
    assert search(host.search_provider("mine")).status == "success"
