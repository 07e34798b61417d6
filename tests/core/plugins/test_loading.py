"""Plugins loaded by name."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from ditto_core import (
    DittoError,
    InvalidValue,
    PluginAmbiguous,
    PluginHost,
    PluginLoadFailed,
    PluginNotFound,
    Sandbox,
    load_plugin,
)
from tests.support.plugins import SECRET, Site

ACME = """
import attrs
from ditto_core import hookimpl
from tests.support.tools import make_tool

@attrs.frozen(eq=False)
class Orbit:
    url: str
    limit: int = 3
    name: str = "orbit"
    options: dict = {}

    api_version = 1

    @hookimpl
    def ditto_tools(self):
        return [make_tool("orbit_lookup")]

class Nested:
    make = Orbit

def factory(**options):
    return options

async def later():
    return None

def only(position, /):
    return position

VALUE = 3
"""


@pytest.fixture
def orbit(site: Site) -> Site:
    """Give a site with one good distribution, and others that nobody asked for."""
    plugins = ["orbit = orbit_pack:Orbit", "nested = orbit_pack:Nested.make", "any = orbit_pack:factory"]
    site.install("orbit-pack", "1.2", plugins=plugins, orbit_pack=ACME)
    site.install("other-pack", "0.9", plugins=["other = other_pack:Other"], other_pack="raise SystemExit")
    return site


@pytest.mark.promise("D-PLUG-11")
def test_a_plugin_is_found_by_name_made_with_options_and_registered_by_nobody(orbit: Site) -> None:
    plugin = load_plugin("orbit", url="https://api.example.com")
    assert (plugin.url, plugin.limit) == ("https://api.example.com", 3)
    assert load_plugin("nested", url="x").url == "x"
    assert "other_pack" not in sys.modules
    host = PluginHost()
    assert host.plugins == ()
    host.register(plugin)
    assert str(host.plugins[0]) == "plugin 'orbit' (orbit-pack 1.2)"
    assert [tool.name for tool in host.tools.list(Sandbox(tools=["*"]))] == ["orbit_lookup"]


@pytest.mark.promise("D-PLUG-12")
def test_keyword_arguments_win_over_options(orbit: Site) -> None:
    plugin = load_plugin("orbit", options={"url": "a", "limit": 1, "options": {"b": 2}}, limit=2, name="own")
    assert (plugin.url, plugin.limit, plugin.name, plugin.options) == ("a", 2, "own", {"b": 2})
    assert load_plugin("any", whatever=1) == {"whatever": 1}


@pytest.mark.promise("D-PLUG-12")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs 'url', which is not given. Its options are 'limit', 'name', 'options', 'url'"),
        ({"url": "a", "limt": 1}, r"does not know 'limt'. Did you mean 'limit'\? Its options are 'limit', 'name'"),
        ({"URL": "a", "x": SECRET}, "does not know 'URL', 'x'"),
    ],
)
def test_unknown_and_missing_options_are_refused_before_anything_is_made(
    options: dict[str, Any], message: str, orbit: Site
) -> None:
    with pytest.raises(PluginLoadFailed, match=rf"^Plugin 'orbit' \(orbit-pack 1.2\): {message}") as refusal:
        load_plugin("orbit", options=options)
    assert SECRET not in str(refusal.value)
    assert refusal.value.__cause__ is None


@pytest.mark.promise("D-PLUG-13")
def test_a_name_that_is_not_installed_lists_those_that_are(orbit: Site) -> None:
    message = (
        r"^Plugin 'orbti' .*'ditto.plugins'.* is not installed. Did you mean 'orbit'\? "
        r"Installed: .*'orbit' \(orbit-pack 1.2\).*'other' \(other-pack 0.9\)"
    )
    with pytest.raises(PluginNotFound, match=message):
        load_plugin("orbti")
    with pytest.raises(PluginNotFound, match=r"^Plugin 'orbit' .* is not installed by the distribution 'other-pack'"):
        load_plugin("orbit", distribution="other-pack")
    with pytest.raises(PluginNotFound, match=r"^Plugin 'a\\nb'"):
        load_plugin("a\nb")


def test_a_long_list_of_installed_plugins_is_cut(site: Site) -> None:
    site.install("orbit-pack", plugins=[f"aa{number} = orbit_pack:A" for number in range(30)])
    with pytest.raises(PluginNotFound, match=r"'aa\d+' \(orbit-pack 1.0\) and \d+ more. Install"):
        load_plugin("zzz")


@pytest.mark.promise("D-PLUG-13")
def test_two_distributions_with_one_name_are_told_apart_by_the_caller(orbit: Site) -> None:
    orbit.install("Orbit.Two", "2.0", plugins=["orbit = orbit_two:Orbit"], orbit_two="def Orbit(): return 'two'")
    message = (
        r"^Plugin 'orbit' is offered more than once: 'orbit' \(Orbit.Two 2.0\), 'orbit' \(orbit-pack 1.2\). "
        "Pass distribution='Orbit.Two'"
    )
    with pytest.raises(PluginAmbiguous, match=message):
        load_plugin("orbit")
    assert load_plugin("orbit", distribution="orbit_two") == "two"
    assert load_plugin("orbit", distribution="orbit-pack", url="u").url == "u"


def test_one_distribution_with_one_name_twice_is_refused(site: Site) -> None:
    site.install("orbit-pack", plugins=["orbit = a:A", "orbit = b:B"])
    with pytest.raises(PluginAmbiguous, match="has to offer each plugin under a name of its own"):
        load_plugin("orbit", distribution="orbit-pack")


@pytest.mark.promise("D-PLUG-14")
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise RuntimeError('disk-full')", "RuntimeError: disk-full"),
        (f"raise RuntimeError('password={SECRET}')", r"RuntimeError\. "),
        ("import asyncio; raise asyncio.CancelledError", r"CancelledError\. "),
        ("raise GeneratorExit", r"GeneratorExit\. "),
        ("import orbit_that_is_not_there", "ModuleNotFoundError: No module named 'orbit_that_is_not_there'"),
        ("from ditto_core import nothing", r"ImportError\. "),
        ("def broken(:", "SyntaxError"),
        ("class E(Exception):\n def __str__(self): raise E\nraise E", r"E\. "),
        ("def __getattr__(name): raise SystemExit(4)", "SystemExit: 4"),
    ],
)
def test_an_import_that_raises_anything_is_an_error_with_its_name(source: str, told: str, site: Site) -> None:
    site.install("bad-pack", "0.1", plugins=["bad = bad_pack:Bad"], bad_pack=source)
    message = (
        rf"^Plugin 'bad' \(bad-pack 0.1\): the module 'bad_pack' could not be imported: {told}.*reinstall bad-pack"
    )
    with pytest.raises(PluginLoadFailed, match=message) as failure:
        load_plugin("bad")
    assert failure.value.__cause__ is not None
    text = str(failure.value)
    assert SECRET not in text
    assert str(site.folder) not in text
    assert "Traceback" not in text


@pytest.mark.promise("D-PLUG-14")
@pytest.mark.case("PLUG-01")
def test_a_broken_pack_stops_nobody_else(orbit: Site) -> None:
    host = PluginHost()
    host.register(load_plugin("orbit", url="u"))
    with pytest.raises(PluginLoadFailed, match=r"^Plugin 'other' \(other-pack 0.9\)"):
        host.register(load_plugin("other"))
    assert [origin.plugin for origin in host.plugins] == ["orbit"]


@pytest.mark.parametrize("where", ["import", "factory"])
def test_an_interrupt_from_the_keyboard_passes(where: str, site: Site) -> None:
    source = "raise KeyboardInterrupt" if where == "import" else "def Bad(): raise KeyboardInterrupt"
    site.install("bad-pack", plugins=["bad = bad_pack:Bad"], bad_pack=source)
    with pytest.raises(KeyboardInterrupt):
        load_plugin("bad")


@pytest.mark.parametrize("error", ["RuntimeError('disk-full')", "SystemExit('disk-full')"])
def test_a_factory_that_raises_is_an_error_with_its_name(error: str, site: Site) -> None:
    site.install("bad-pack", plugins=["bad = bad_pack:Bad"], bad_pack=f"def Bad(key): raise {error}")
    message = r"^Plugin 'bad' \(bad-pack 1.0\): 'bad_pack:Bad' raised .*: disk-full. Check its options"
    with pytest.raises(PluginLoadFailed, match=message) as failure:
        load_plugin("bad", key=SECRET)
    assert SECRET not in str(failure.value)
    assert str(failure.value.__cause__) == "disk-full"


@pytest.mark.parametrize("given", ["hunter2-horse", 'it\'s\na "quote"'])
def test_a_text_that_repeats_an_option_is_not_shown(given: str, site: Site) -> None:
    source = "import attrs\n@attrs.define(kw_only=True)\nclass Bad:\n"
    source += "    steps: int = attrs.field(validator=attrs.validators.instance_of(int))"
    site.install("bad-pack", plugins=["bad = bad_pack:Bad"], bad_pack=source)
    with pytest.raises(PluginLoadFailed) as failure:
        load_plugin("bad", steps=given)
    assert str(failure.value) == (
        "Plugin 'bad' (bad-pack 1.0): 'bad_pack:Bad' raised TypeError, with a text that repeats the value of 'steps'. "
        "Check its options."
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "orbit_pack:Missing",
            "'orbit_pack:Missing' names 'Missing', which does not exist. Repair or reinstall x-pack",
        ),
        ("orbit_pack:Orbit.missing.more", ".* names 'missing', which does not exist"),
        ("orbit_pack:VALUE", "'orbit_pack:VALUE' is an int. An entry point has to name a class or a factory"),
        ("orbit_pack", "'orbit_pack' is a module. An entry point has to name a class or a factory"),
        (":Orbit", "the module '' could not be imported: ValueError"),
        (".orbit:Orbit", "the module '.orbit' could not be imported: TypeError"),
        ("orbit_pack:later", "'orbit_pack:later' is an async function. A factory is a plain one"),
        ("orbit_pack:only", "'orbit_pack:only' raised TypeError"),
        ("builtins:iter", "'builtins:iter' raised TypeError"),
    ],
)
def test_entry_points_that_lead_nowhere(value: str, message: str, orbit: Site) -> None:
    orbit.install("x-pack", plugins=[f"x = {value}"])
    with pytest.raises(PluginLoadFailed, match=rf"^Plugin 'x' \(x-pack 1.0\): {message}"):
        load_plugin("x")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3,), "name: must be the name of a plugin, not an int"),
        ((object(),), "name: must be the name of a plugin, not an object; register objects as they are"),
        (("orbit", {"distribution": 3}), "distribution: must be the name of a distribution, not an int"),
        (("orbit", {"options": "url"}), "options: must be a mapping of names to values, not a str"),
        (("orbit", {"options": {1: 2}}), "options: must have names as keys, not an int"),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[Any, ...], message: str, orbit: Site) -> None:
    name, more = arguments[0], arguments[1] if len(arguments) > 1 else {}
    with pytest.raises(InvalidValue, match=message) as refusal:
        load_plugin(name, **more)
    assert isinstance(refusal.value, DittoError)


def test_loading_works_inside_a_running_loop(orbit: Site) -> None:
    async def scenario() -> Any:
        return load_plugin("orbit", url="u")

    assert asyncio.run(scenario()).url == "u"
