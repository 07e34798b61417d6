"""What hooks may give, and what is refused of it."""

from __future__ import annotations

import asyncio
import itertools
import types
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pluggy
import pytest

from ditto_core import DuplicateName, InvalidName, InvalidPlugin, InvalidSchema, PluginHost, Sandbox, Tool, hookimpl
from tests.support.plugins import SECRET, Pack, Provider, Secretive, Sink, giving
from tests.support.tools import make_tool


async def coroutine() -> None: ...


async def async_generator() -> Any:
    yield make_tool()


def breaks_off() -> Iterator[Tool[Any]]:
    yield make_tool("first")
    raise RuntimeError("half way")


def exits() -> Any:
    raise SystemExit(3)


def raises(text: str) -> Callable[[], Any]:
    def hook() -> Any:
        raise RuntimeError(text)

    return hook


class PlainSink:
    def deliver(self, request: object) -> None: ...


class HostileProvider(Provider):
    @property
    def origin(self) -> str | None:  # type: ignore[override]
        raise ValueError(SECRET)


def provider(origin: Any) -> Provider:
    made = Provider()
    made.origin = origin
    return made


class NoOrigin:
    async def search(self, query: str, limit: int) -> list[Any]:
        return []


TOOLS, SINKS, PROVIDERS = "ditto_tools", "ditto_output_sinks", "ditto_web_search_providers"


@pytest.mark.promise("D-PLUG-04", "D-PLUG-07")
@pytest.mark.case("PLUG-06", "PLUG-09")
@pytest.mark.parametrize(
    ("hook", "answer", "message"),
    [
        (TOOLS, lambda: None, r"must give an iterable of tools, \[\] for none, not None"),
        (TOOLS, lambda: "grep", "must give an iterable of tools.* not a str"),
        (TOOLS, lambda: b"grep", "must give an iterable of tools.* not a bytes"),
        (TOOLS, lambda: {"grep": make_tool()}, "must give an iterable of tools.* not a dict"),
        (TOOLS, make_tool, "must give an iterable of tools.* not a Tool"),
        (TOOLS, coroutine, "must give an iterable of tools.* not a coroutine"),
        (TOOLS, async_generator, "must give an iterable of tools.* not an async_generator"),
        (TOOLS, lambda: [make_tool(), "grep"], "item 2 is a str, no Tool. Make it with"),
        (TOOLS, lambda: [make_tool(), coroutine()], "item 2 is a coroutine, no Tool"),
        (TOOLS, lambda: [Tool], "item 1 is a type, no Tool"),
        (TOOLS, lambda: itertools.repeat(make_tool()), "gives more than 100,000. Offer fewer"),
        (TOOLS, raises("disk-full"), "raised RuntimeError: disk-full. Nothing of the plugin is registered"),
        (TOOLS, raises(f"password={SECRET}"), "raised RuntimeError. Nothing"),
        (TOOLS, exits, "raised SystemExit"),
        (TOOLS, breaks_off, "raised RuntimeError: half way"),
        (TOOLS, lambda: [make_tool(), make_tool("a b")], "raised InvalidName: Tool name 'a b'"),
        (SINKS, lambda: None, r"must give a mapping by name, \{\} for none, not None"),
        (SINKS, lambda: [Sink()], "must give a mapping by name.* not a list"),
        (SINKS, coroutine, "must give a mapping by name.* not a coroutine"),
        (SINKS, lambda: {"a": None}, "sink 'a', None, has no method deliver. Define it with async def deliver"),
        (SINKS, lambda: {"a": PlainSink()}, "sink 'a', a PlainSink, has a deliver that is no async function"),
        (SINKS, lambda: {"a": coroutine()}, "sink 'a', a coroutine, has no method deliver"),
        (SINKS, lambda: {"a": Sink}, "sink 'a' is a class. Give an object of it"),
        (PROVIDERS, lambda: "brave", "must give a mapping by name.* not a str"),
        (PROVIDERS, lambda: {"a": Sink()}, "search provider 'a', a Sink, has no method search"),
        (PROVIDERS, lambda: {"a": NoOrigin()}, "search provider 'a': its origin must be a string.* not absent"),
        (PROVIDERS, lambda: {"a": HostileProvider()}, "search provider 'a': its origin must be .* not absent"),
        (PROVIDERS, lambda: {"a": provider("")}, "search provider 'a': its origin must be a string such as .* not ''"),
        (PROVIDERS, lambda: {"a": provider(3)}, "search provider 'a': its origin must be .* not an int"),
    ],
)
def test_what_is_refused_of_a_hook(hook: str, answer: Callable[[], Any], message: str) -> None:
    host = PluginHost()
    with pytest.raises(InvalidPlugin, match=f"^Plugin 'one-pack': hook {hook}:? ?.*{message}") as refusal:
        host.register(giving(hook, answer))
    assert SECRET not in str(refusal.value)
    assert (host.plugins, host.tools.list(Sandbox(tools=["*"])), dict(host.sinks)) == ((), (), {})


@pytest.mark.promise("D-PLUG-02")
def test_what_only_pluggy_refuses_is_refused_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stricter(pluggy.PluginManager):
        def register(self, plugin: object, name: str | None = None) -> str | None:
            raise pluggy.PluginValidationError(plugin, "a rule of a later version")

    monkeypatch.setattr("ditto_core.plugins.contributions.new_manager", lambda: Stricter("ditto"))
    host = PluginHost()
    message = "Plugin 'pack'.*: pluggy refuses it: PluginValidationError: a rule of a later version. Look at its hooks"
    with pytest.raises(InvalidPlugin, match=message):
        host.register(Pack())
    assert host.plugins == ()


@pytest.mark.promise("D-PLUG-04")
def test_the_exception_of_a_hook_is_kept_as_the_cause() -> None:
    with pytest.raises(InvalidPlugin) as refusal:
        PluginHost().register(giving(TOOLS, breaks_off))
    assert str(refusal.value.__cause__) == "half way"


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, asyncio.CancelledError])
def test_interrupts_pass_through_registration(interrupt: type[BaseException]) -> None:
    def interrupted() -> Any:
        raise interrupt

    host = PluginHost()
    with pytest.raises(interrupt):
        host.register(giving(TOOLS, interrupted))
    assert host.plugins == ()


@pytest.mark.parametrize("name", ["", "a b", "a.b", "x" * 65, "a\n", "é", 1, None])
@pytest.mark.parametrize(("hook", "thing"), [(SINKS, Sink()), (PROVIDERS, Provider())])
def test_sinks_and_providers_are_named_as_tools_are(name: Any, hook: str, thing: object) -> None:
    with pytest.raises(InvalidName, match=f"hook {hook}: the name .* must be 1-64 ASCII letters"):
        PluginHost().register(giving(hook, lambda: {name: thing}))


@pytest.mark.promise("D-PLUG-06")
def test_one_plugin_giving_a_name_twice_is_refused() -> None:
    with pytest.raises(DuplicateName, match=r"hook ditto_tools gives two tools named 'grep'. Rename one"):
        PluginHost().register(Pack(make_tool("grep"), make_tool("grep")))


def test_a_schema_that_is_no_json_is_refused_with_the_plugins_name() -> None:
    tool = attrs.evolve(make_tool("grep"), input_schema={"maximum": float("nan")})
    host = PluginHost()
    with pytest.raises(InvalidSchema, match=r"Plugin 'pack': Tool 'grep': input_schema\.maximum"):
        host.register(Pack(make_tool("cat"), tool))
    assert host.tools.list(Sandbox(tools=["*"])) == ()


@pytest.mark.promise("D-PLUG-01")
def test_hooks_are_functions_of_objects_classes_and_modules_called_once() -> None:
    calls: list[str] = []

    class Acme(Secretive):
        @hookimpl
        @staticmethod
        def ditto_output_sinks() -> dict[str, Sink]:
            calls.append("static")
            return {"console": Sink()}

        @classmethod
        @hookimpl
        def ditto_web_search_providers(cls) -> dict[str, Provider]:
            calls.append("class")
            return {"brave": Provider()}

        @hookimpl
        def ditto_tools(self) -> Iterator[Tool[Any]]:
            calls.append("generator")
            yield make_tool("grep")

    module = types.ModuleType("acme_pack")

    def ditto_tools() -> list[Tool[Any]]:
        calls.append("module")
        return [make_tool("cat")]

    module.__dict__.update(api_version=1, ditto_tools=hookimpl(ditto_tools), ditto_core=attrs)
    host = PluginHost()
    host.register(Acme())
    host.register(module)
    assert sorted(calls) == ["class", "generator", "module", "static"]
    assert [origin.plugin for origin in host.plugins] == ["acme", "acme-pack"]
    assert [tool.name for tool in host.tools.list(Sandbox(tools=["*"]))] == ["grep", "cat"]
    assert (list(host.sinks), list(host.search_providers)) == (["console"], ["brave"])
