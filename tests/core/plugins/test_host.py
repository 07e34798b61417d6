"""What an application sees of the plugins that it registered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    DuplicateName,
    InvalidValue,
    NotOffered,
    Origin,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    ToolRegistry,
    UnknownTool,
    hookimpl,
    interaction_worker,
)
from tests.support import run
from tests.support.plugins import SECRET, Pack, Provider, Secretive, Sink, Site
from tests.support.tools import Gate, make_tool

EVERYTHING = Sandbox(tools=["*"])


def names(host: PluginHost) -> list[str]:
    return [tool.name for tool in host.tools.list(EVERYTHING)]


@pytest.mark.promise("COMP-01")
def test_nothing_is_there_that_was_not_registered(site: Site) -> None:
    source = "raise AssertionError('nobody imports it')"
    site.install("acme-pack", plugins=["acme = acme_pack_unwanted:Acme"], acme_pack_unwanted=source)
    host = PluginHost()
    assert (host.plugins, dict(host.sinks), dict(host.search_providers)) == ((), {}, {})
    assert host.tools.list(EVERYTHING) == ToolRegistry().list(EVERYTHING) == ()
    assert host.tools.observers == ()
    assert Runtime(workers=[interaction_worker()], sandbox=EVERYTHING).tools() == ()


@pytest.mark.promise("D-PLUG-01")
def test_plugins_come_in_the_order_of_registration() -> None:
    host = PluginHost()
    for name in ("c", "a", "b"):
        host.register(Pack(make_tool(f"{name}2"), make_tool(f"{name}1")), name=name)
    assert [origin.plugin for origin in host.plugins] == ["c", "a", "b"]
    assert names(host) == ["c2", "c1", "a2", "a1", "b2", "b1"]


@pytest.mark.promise("D-PLUG-22")
def test_sinks_and_providers_are_found_by_name_and_tools_are_one_live_registry() -> None:
    host = PluginHost()
    tools, sinks, sink, provider = host.tools, host.sinks, Sink(), Provider()
    host.register(Pack(make_tool("grep"), sinks={"console": sink}, providers={"brave": provider}))
    assert host.sink("console") is sinks["console"] is sink
    assert host.search_provider("brave") is host.search_providers["brave"] is provider
    assert host.tools is tools
    assert names(host) == ["grep"]
    with pytest.raises(TypeError):
        sinks["other"] = sink  # type: ignore[index]


@pytest.mark.promise("D-PLUG-22")
def test_a_name_that_nobody_offers_lists_the_names_there_are() -> None:
    host = PluginHost()
    with pytest.raises(NotOffered, match=r"Sink 'console': no registered plugin offers it. There is none"):
        host.sink("console")
    host.register(Pack(sinks={"console": Sink(), "queue": Sink()}))
    with pytest.raises(NotOffered, match=r"'consol\\n'.*Did you mean 'console'\? There is 'console', 'queue'"):
        host.sink("consol\n")
    with pytest.raises(NotOffered, match="Search provider None: no registered plugin"):
        host.search_provider(None)  # type: ignore[arg-type]


@pytest.mark.promise("D-PLUG-09")
def test_everything_has_the_plugin_it_comes_from(site: Site) -> None:
    site.install("acme-pack", "1.2", plugins=["acme = tests.support.plugins:Pack"])
    host = PluginHost()
    host.register(Pack(make_tool("grep"), sinks={"a": Sink()}, providers={"b": Provider()}), name="acme", prefix="x_")
    host.tools.register(make_tool("own"))
    acme = Origin("acme", "acme-pack", "1.2")
    assert host.plugins == (acme,)
    assert [host.origin_of("tool", name) for name in ("x_grep", "grep", "own")] == [acme, None, None]
    assert host.origin_of("sink", "a") == host.origin_of("search_provider", "b") == acme
    assert host.origin_of("sink", "b") is None
    with pytest.raises(InvalidValue, match="kind: must be 'tool', 'sink' or 'search_provider', not 'hook'"):
        host.origin_of("hook", "a")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plugin", "name"),
    [
        (Pack(), "pack"),
        (Pack(name="Acme 2"), "Acme 2"),
        (type("_HTTPTools2GO", (Pack,), {})(), "http-tools2-go"),
        (type("Any_Name", (Pack,), {"name": property(lambda self: 1 / 0, lambda self, value: None)})(), "any-name"),
    ],
)
def test_a_plugin_is_called_as_given_or_by_its_own_name_or_by_its_class(plugin: Pack, name: str) -> None:
    host = PluginHost()
    host.register(plugin)()
    host.register(plugin, name="given")
    host.register(Pack(make_tool("grep")), name=name)
    assert [origin.plugin for origin in host.plugins] == ["given", name]


@pytest.mark.promise("D-PLUG-06", "D-PLUG-07")
@pytest.mark.case("PLUG-07")
@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            {"plugin": Pack()},
            "^Plugin 'b' .*: the name is taken by plugin 'b' .*, a Pack; this one is a Pack.*name='…'",
        ),
        (
            {"plugin": Pack(make_tool("search")), "name": "c"},
            "^Tool 'search' of plugin 'c'.* by tool 'search' of plugin 'b'",
        ),
        (
            {"plugin": Pack(sinks={"out": Sink()}), "name": "c"},
            r"^Plugin 'c' .*: sink 'out' .* plugin 'b' .*exclude=\{'out'\}",
        ),
        (
            {"plugin": Pack(providers={"w": Provider()}), "name": "c"},
            "^Plugin 'c' .*: search provider 'w' .* plugin 'b' ",
        ),
    ],
)
def test_a_name_that_is_taken_is_refused_with_both_owners(second: dict[str, Any], message: str, site: Site) -> None:
    site.install("acme-pack", "1.2", plugins=["acme = tests.support.plugins:Pack"])
    host = PluginHost()
    first = Pack(make_tool("search"), sinks={"out": Sink()}, providers={"w": Provider()})
    host.register(first, name="b")
    with pytest.raises(DuplicateName, match=f"(?i){message}") as refusal:
        host.register(second.pop("plugin"), **{"name": "b", **second})
    assert "(acme-pack 1.2)" in str(refusal.value)
    assert SECRET not in str(refusal.value)
    assert [origin.plugin for origin in host.plugins] == ["b"]
    assert (names(host), list(host.sinks), list(host.search_providers)) == (["search"], ["out"], ["w"])


@pytest.mark.case("PLUG-07")
def test_the_same_object_twice_is_refused_and_equal_ones_are_not() -> None:
    host = PluginHost()
    plugin = Pack()
    host.register(plugin, name="a")
    for name in ("a", "b"):
        with pytest.raises(
            DuplicateName, match=r"the same object is registered as 'a' already. Make another"
        ) as refusal:
            host.register(plugin, name=name)
        assert SECRET not in str(refusal.value)
    host.register(Pack(), name="b")


def test_a_hook_that_registers_something_is_checked_once_more() -> None:
    host = PluginHost()

    class Nesting(Secretive):
        @hookimpl
        def ditto_tools(self) -> list[Any]:
            host.register(Pack(), name="nesting")
            return []

    with pytest.raises(DuplicateName, match=r"the name is taken by plugin 'nesting'"):
        host.register(Nesting())
    assert [origin.plugin for origin in host.plugins] == ["nesting"]


@pytest.mark.promise("D-PLUG-02")
@pytest.mark.case("PLUG-03")
def test_a_mended_plugin_takes_the_name_of_a_refused_one() -> None:
    host = PluginHost()
    good = {"good": Sink()}
    for bad in (Pack(make_tool("a"), sinks={"bad": 1}), Pack(make_tool("a"), "b", sinks=good)):  # type: ignore[arg-type]
        with pytest.raises(Exception, match="hook ditto_"):
            host.register(bad, name="acme")
        assert (host.plugins, names(host), dict(host.sinks)) == ((), [], {})
    host.register(Pack(make_tool("a"), sinks=good), name="acme")
    assert (names(host), list(host.sinks)) == (["a"], ["good"])


@pytest.mark.promise("D-PLUG-23", "REG-04", "REG-05")
def test_the_undo_takes_out_names_and_disturbs_no_call() -> None:
    async def scenario() -> None:
        host = PluginHost()
        gate = Gate()
        undo = host.register(Pack(make_tool("grep", gate), sinks={"a": Sink()}, providers={"b": Provider()}))
        host.register(Pack(make_tool("cat")), name="other")
        context = ToolContext(sandbox=EVERYTHING)
        running = asyncio.create_task(host.tools.call(ToolCall(id="1", name="grep", arguments={}), context))
        await gate.wait_for(1)
        assert undo() is True
        assert undo() is False
        assert (names(host), dict(host.sinks), dict(host.search_providers)) == (["cat"], {}, {})
        with pytest.raises(UnknownTool):
            await host.tools.call(ToolCall(id="2", name="grep", arguments={}), context)
        gate.open.set()
        assert (await running).content == "1"
        host.register(Pack(make_tool("grep")), name="pack")
        assert undo() is False
        assert names(host) == ["cat", "grep"]

    run(scenario())


@pytest.mark.promise("D-PLUG-24")
def test_pluggy_has_no_part_in_a_call() -> None:
    host = PluginHost()
    hooks: list[str] = []

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        return ToolOutcome(content="done")

    class Watching(Pack):
        @hookimpl
        def ditto_call_started(self) -> None:
            hooks.append("observer")

    host.register(Watching(make_tool("grep", execute)))
    host._manager.add_hookcall_monitoring(lambda *seen: hooks.append("pluggy"), lambda *seen: None)

    async def scenario() -> None:
        async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=EVERYTHING) as runtime:
            await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="1", name="grep", arguments={})))

    run(scenario())
    assert hooks == ["observer"]


@pytest.mark.promise("D-PLUG-09")
@pytest.mark.case("SEC-06")
def test_registering_and_removing_are_logged_with_the_name(log: pytest.LogCaptureFixture) -> None:
    host = PluginHost()
    undo = host.register(Pack(), name="acme")
    undo()
    undo()
    assert [record.message for record in log.records] == [
        'plugin_registered plugin="acme"',
        'plugin_unregistered plugin="acme"',
    ]
