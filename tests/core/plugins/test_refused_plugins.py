"""What is no plugin, and which plugins are refused before any of their hooks is called."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

from ditto_core import CallStarted, InvalidName, InvalidPlugin, PluginApiMismatch, PluginHost, Sandbox, hookimpl
from tests.support.plugins import SECRET, Pack, Secretive, Site, giving
from tests.support.tools import make_tool


class Unmarked(Secretive):
    def ditto_tools(self) -> list[Any]:
        return []


class HalfMarked(Pack):
    def ditto_call_started(self, event: CallStarted) -> None: ...


class Property(Pack):
    @property
    def ditto_call_started(self) -> None:
        raise AssertionError("nobody reads it")


class Misspelt(Secretive):
    @hookimpl
    def ditto_tool(self) -> list[Any]:
        return []


class Helper(Pack):
    def ditto_helper(self) -> None: ...


class StaticHelper(Pack):
    @staticmethod
    def ditto_helper() -> None: ...


class MarkedHelper(Pack):
    @hookimpl
    def helper(self) -> None: ...


class AsyncHook(Secretive):
    @hookimpl
    async def ditto_tools(self) -> list[Any]:
        raise AssertionError("nobody calls it")


class AsyncGenerator(Secretive):
    @hookimpl
    async def ditto_tools(self) -> Any:
        yield make_tool()


class AsyncObserver(Secretive):
    @hookimpl
    async def ditto_call_started(self, event: CallStarted) -> None: ...


class GeneratorObserver(Secretive):
    @hookimpl
    def ditto_call_started(self, event: CallStarted) -> Iterator[None]:
        yield


class UnknownArgument(Secretive):
    @hookimpl
    def ditto_call_started(self, evnt: CallStarted) -> None: ...


class UnknownDefault(Secretive):
    @hookimpl
    def ditto_tools(self, config: object = None) -> list[Any]:
        return []


class AnyArguments(Secretive):
    @hookimpl
    def ditto_tools(self, *args: object) -> list[Any]:
        return []


class NoSelf(Secretive):
    @hookimpl
    def ditto_tools() -> list[Any]:  # type: ignore[misc]
        return []


class Hostile(Secretive):
    def __dir__(self) -> Any:
        raise ValueError("no")


class Elusive(Pack):
    def __getattribute__(self, name: str) -> Any:
        if name.startswith("ditto_"):
            raise ValueError(SECRET)
        return super().__getattribute__(name)


@attrs.define
class ByValue:
    api_version = 1

    @hookimpl
    def ditto_tools(self) -> list[Any]:
        return []


@attrs.frozen
class ByValueButHashable(ByValue):
    pass


class HalfResource(Pack):
    async def __aenter__(self) -> None: ...


def empty_module() -> types.ModuleType:
    return types.ModuleType("acme_pack")


@pytest.mark.promise("D-PLUG-03", "D-PLUG-07")
@pytest.mark.case("PLUG-06", "PLUG-07")
@pytest.mark.parametrize(
    ("make", "fact", "remedy"),
    [
        (lambda: None, "needs a plugin, not None", "forget to return"),
        (lambda: Pack, "Pack is a class", r"Register an object of it: Pack\(…\)"),
        (object, "an object without a single hook", "Mark at least one function with @hookimpl"),
        (lambda: [1], "a list without a single hook", "@hookimpl"),
        (lambda: "acme", "a str without a single hook", "@hookimpl"),
        (empty_module, "a module without a single hook", "@hookimpl"),
        (Secretive, "has no hook", "'ditto_tools'"),
        (Unmarked, "ditto_tools is not marked", "@hookimpl directly above its def"),
        (HalfMarked, "ditto_call_started is not marked", "@hookimpl"),
        (Property, "ditto_call_started is not marked", "@hookimpl"),
        (Misspelt, "there is no hook 'ditto_tool'", r"Did you mean 'ditto_tools'\?"),
        (Helper, "there is no hook 'ditto_helper'", "other names may not begin with 'ditto_'"),
        (StaticHelper, "there is no hook 'ditto_helper'", "The hooks are"),
        (MarkedHelper, "there is no hook 'helper'", "or be marked with @hookimpl"),
        (AsyncHook, "hook ditto_tools is an async function", "Make it a plain one"),
        (AsyncGenerator, "hook ditto_tools is an async function", "Make it a plain one"),
        (AsyncObserver, "hook ditto_call_started is an async function", "Make it a plain one"),
        (GeneratorObserver, "ditto_call_started is a generator", "Make it a plain function"),
        (UnknownArgument, "ditto_call_started: there is no argument 'evnt'", "The hook may have 'event'"),
        (UnknownDefault, "ditto_tools: there is no argument 'config'", "The hook has no arguments"),
        (AnyArguments, "ditto_tools: 'args' is no ordinary argument", "The hook has no arguments"),
        (NoSelf, "ditto_tools has no readable signature", "first argument is self"),
        (Hostile, "cannot be looked into: ValueError: no", "Register a plain object"),
        (Elusive, "hook ditto_output_sinks cannot be read: it is None", "Make it a plain function"),
        (ByValue, "compared by value", r"@attrs.frozen\(eq=False\)"),
        (ByValueButHashable, "compared by value", r"@attrs.frozen\(eq=False\)"),
        (HalfResource, "only one of __aenter__ and __aexit__", "Define both or neither"),
    ],
)
def test_what_is_refused_as_a_plugin(make: Callable[[], Any], fact: str, remedy: str) -> None:
    host = PluginHost()
    with pytest.raises(InvalidPlugin, match=f"(?s){fact}.*{remedy}") as refusal:
        host.register(make())
    assert SECRET not in str(refusal.value)
    assert host.plugins == ()


@pytest.mark.promise("D-PLUG-03")
@pytest.mark.parametrize(
    "option",
    ["tryfirst", "trylast", "wrapper", "hookwrapper", "optionalhook", pytest.param("specname", id="specname")],
)
def test_options_of_hookimpl_are_refused(option: str) -> None:
    def ditto_tools(self: object) -> Any:
        yield

    value: Any = "ditto_tools" if option == "specname" else True
    marked = hookimpl(**{option: value})(ditto_tools)
    plugin = type("Acme", (Secretive,), {"ditto_tools": marked})()
    with pytest.raises(InvalidPlugin, match=f"hook ditto_tools is marked with {option}. .*use @hookimpl alone"):
        PluginHost().register(plugin)


@pytest.mark.promise("D-PLUG-05", "D-PLUG-07")
@pytest.mark.case("PLUG-04")
@pytest.mark.parametrize(
    ("version", "fact", "remedy"),
    [
        (None, "does not say for which version", r"author has to write api_version: ClassVar\[int\] = 1"),
        (True, "has a bool as api_version", "author has to write"),
        ("1", "has a str as api_version", "author has to write"),
        (
            2,
            "was written for version 2 of the plugin interface; this ditto-core supports 1",
            "Upgrade ditto-core, or use an older",
        ),
        (
            0,
            "was written for version 0 of the plugin interface",
            "Upgrade acme-pack, or use an older release of ditto-core",
        ),
    ],
)
def test_another_version_of_the_interface_is_refused(version: Any, fact: str, remedy: str, site: Site) -> None:
    site.install("acme-pack", "1.2", plugins=["acme = acme_pack:Acme"])
    plugin = giving(
        "ditto_tools", list, api_version=version, __module__="acme_pack", ditto_from_later=lambda self: None
    )
    with pytest.raises(PluginApiMismatch, match=rf"Plugin 'one-pack' \(acme-pack 1.2\): {fact}.*{remedy}") as refusal:
        PluginHost().register(plugin)
    assert SECRET not in str(refusal.value)


@pytest.mark.promise("D-PLUG-07")
@pytest.mark.case("SEC-06")
@pytest.mark.parametrize(
    "name", ["", " acme", "acme ", "x" * 65, "a\nb", "a\r\x85\u2028\u2029\x1b[2J\x07", "\ud800", 1, b"a"]
)
def test_names_of_plugins_are_one_short_line(name: Any) -> None:
    host = PluginHost()
    with pytest.raises(InvalidName, match=r"must be 1-64 characters on one line.*name='…'") as refusal:
        host.register(Pack(), name=name)
    assert str(refusal.value).isprintable()
    assert host.plugins == ()


@pytest.mark.case("PLUG-03")
def test_a_plugin_that_changes_while_it_is_registered_leaves_no_trace() -> None:
    class Changing:
        api_version = 1

        @hookimpl
        def ditto_tools(self) -> list[Any]:
            Changing.ditto_output_sinks = hookimpl(lambda self, nonsense: {})  # type: ignore[attr-defined]
            return [make_tool("x")]

    host = PluginHost()
    with pytest.raises(InvalidPlugin, match="changed while it was registered"):
        host.register(Changing())
    assert host.plugins == ()
    assert host.tools.list(Sandbox(tools=["*"])) == ()
