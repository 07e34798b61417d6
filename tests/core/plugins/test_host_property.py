"""Whatever an application registers and removes: a refused plugin leaves no trace, an accepted one leaves whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from ditto_core import (
    CallStarted,
    DuplicateName,
    InvalidPlugin,
    PluginApiMismatch,
    PluginHost,
    Sandbox,
    Tool,
    hookimpl,
)
from tests.support.plugins import Pack, Provider, Sink
from tests.support.tools import make_tool

pytestmark = [pytest.mark.promise("D-PLUG-02", "D-PLUG-23"), pytest.mark.case("PLUG-03", "PLUG-09")]

NAMES = st.sampled_from(["a", "b", "c"])
PARTS = st.sets(st.sampled_from(["x", "y", "z"]), max_size=2).map(sorted)


class Observing(Pack):
    @hookimpl
    def ditto_call_started(self, event: CallStarted) -> None: ...


class HalfWay(Pack):
    """Gives its tools and then breaks off."""

    @hookimpl
    def ditto_tools(self) -> Any:
        yield from self.tools
        raise RuntimeError


class Skewed(Pack):
    api_version = 2


class AsyncHook(Pack):
    @hookimpl
    async def ditto_output_sinks(self) -> dict[str, Any]:  # type: ignore[override]
        raise AssertionError


def last_is_wrong(*tools: Tool[Any], **more: Any) -> Pack:
    return Pack(*tools, None, **more)  # type: ignore[arg-type]


@attrs.define
class Model:
    """What one registered plugin brought."""

    tools: list[str]
    sinks: list[str]
    providers: list[str]
    observes: bool
    undo: Callable[[], bool]


class Host(RuleBasedStateMachine):
    """Registers and removes, beside a dict that says what has to be there."""

    def __init__(self) -> None:
        super().__init__()
        self.host = PluginHost()
        self.model: dict[str, Model] = {}
        self.spent: list[Callable[[], bool]] = []

    def parts(self, tools: list[str], sinks: list[str], providers: list[str]) -> dict[str, Any]:
        return {
            "sinks": {name: Sink() for name in sinks},
            "providers": {name: Provider() for name in providers},
            "tools": [make_tool(name) for name in tools],
        }

    @rule(name=NAMES, given=st.tuples(PARTS, PARTS, PARTS), prefix=st.sampled_from(["", "p_"]), observes=st.booleans())
    def register(self, name: str, given: tuple[list[str], ...], prefix: str, *, observes: bool) -> None:
        tools, sinks, providers = given
        parts = self.parts(tools, sinks, providers)
        plugin = (Observing if observes else Pack)(*parts.pop("tools"), **parts)
        named = [prefix + tool for tool in tools]
        taken = name in self.model or any(
            {*named} & {*other.tools} or {*sinks} & {*other.sinks} or {*providers} & {*other.providers}
            for other in self.model.values()
        )
        if taken:
            with pytest.raises(DuplicateName):
                self.host.register(plugin, name=name, prefix=prefix)
        else:
            undo = self.host.register(plugin, name=name, prefix=prefix)
            self.model[name] = Model(named, sinks, providers, observes, undo)

    @rule(name=NAMES, tools=PARTS, sinks=PARTS, bad=st.sampled_from([HalfWay, Skewed, AsyncHook, last_is_wrong]))
    def refuse(self, name: str, tools: list[str], sinks: list[str], bad: Callable[..., Pack]) -> None:
        parts = self.parts(tools, sinks, [])
        with pytest.raises((InvalidPlugin, PluginApiMismatch, DuplicateName)):
            self.host.register(bad(*parts.pop("tools"), **parts), name=name)

    @rule(name=NAMES)
    def remove(self, name: str) -> None:
        if name in self.model:
            undo = self.model.pop(name).undo
            assert undo() is True
            self.spent.append(undo)

    @rule()
    def remove_again(self) -> None:
        assert not any(undo() for undo in self.spent)

    @invariant()
    def holds_what_was_registered_and_nothing_else(self) -> None:
        host, model = self.host, self.model
        tools = {tool: name for name, known in model.items() for tool in known.tools}
        sinks = {sink: name for name, known in model.items() for sink in known.sinks}
        providers = {provider: name for name, known in model.items() for provider in known.providers}
        assert [origin.plugin for origin in host.plugins] == list(model)
        assert [tool.name for tool in host.tools.list(Sandbox(tools=["*"]))] == list(tools)
        assert (list(host.sinks), list(host.search_providers)) == (list(sinks), list(providers))
        for kind, names in (("tool", tools), ("sink", sinks), ("search_provider", providers)):
            owners = {name: host.origin_of(kind, name) for name in names}  # type: ignore[arg-type]
            assert {name: origin.plugin for name, origin in owners.items() if origin} == names
        observers: list[Any] = list(host.tools.observers)
        assert [observer.origin.plugin for observer in observers] == [
            name for name, known in model.items() if known.observes
        ]
        known_to_pluggy = {name for name, _ in host._manager.list_name_plugin()}
        assert known_to_pluggy == set(model)
        assert all(len(hook.get_hookimpls()) <= len(model) for hook in vars(host._manager.hook).values())


TestHost = Host.TestCase
