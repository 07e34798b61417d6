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
class Acme:
    url: str
    limit: int = 3
    name: str = "acme"
    options: dict = {}

    api_version = 1

    @hookimpl
    def ditto_tools(self):
        return [make_tool("acme_lookup")]

class Nested:
    make = Acme

def factory(**options):
    return options

async def later():
    return None

def only(position, /):
    return position

VALUE = 3
"""


@pytest.fixture
def acme(site: Site) -> Site:
    """Give a site with one good distribution, and others that nobody asked for."""
    plugins = ["acme = acme_pack:Acme", "nested = acme_pack:Nested.make", "any = acme_pack:factory"]
    site.install("acme-pack", "1.2", plugins=plugins, acme_pack=ACME)
    site.install("other-pack", "0.9", plugins=["other = other_pack:Other"], other_pack="raise SystemExit")
    return site


@pytest.mark.promise("D-PLUG-11")
def test_a_plugin_is_found_by_name_made_with_options_and_registered_by_nobody(acme: Site) -> None:
    plugin = load_plugin("acme", url="https://api.example.com")
    assert (plugin.url, plugin.limit) == ("https://api.example.com", 3)
    assert load_plugin("nested", url="x").url == "x"
    assert "other_pack" not in sys.modules
    host = PluginHost()
    assert host.plugins == ()
    host.register(plugin)
    assert str(host.plugins[0]) == "plugin 'acme' (acme-pack 1.2)"
    assert [tool.name for tool in host.tools.list(Sandbox(tools=["*"]))] == ["acme_lookup"]


@pytest.mark.promise("D-PLUG-12")
def test_keyword_arguments_win_over_options(acme: Site) -> None:
    plugin = load_plugin("acme", options={"url": "a", "limit": 1, "options": {"b": 2}}, limit=2, name="own")
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
    options: dict[str, Any], message: str, acme: Site
) -> None:
    with pytest.raises(PluginLoadFailed, match=rf"^Plugin 'acme' \(acme-pack 1.2\): {message}") as refusal:
        load_plugin("acme", options=options)
    assert SECRET not in str(refusal.value)
    assert refusal.value.__cause__ is None


@pytest.mark.promise("D-PLUG-13")
def test_a_name_that_is_not_installed_lists_those_that_are(acme: Site) -> None:
    message = (
        r"^Plugin 'acne' .*'ditto.plugins'.* is not installed. Did you mean 'acme'\? "
        r"Installed: .*'acme' \(acme-pack 1.2\).*'other' \(other-pack 0.9\)"
    )
    with pytest.raises(PluginNotFound, match=message):
        load_plugin("acne")
    with pytest.raises(PluginNotFound, match=r"^Plugin 'acme' .* is not installed by the distribution 'other-pack'"):
        load_plugin("acme", distribution="other-pack")
    with pytest.raises(PluginNotFound, match=r"^Plugin 'a\\nb'"):
        load_plugin("a\nb")


def test_a_long_list_of_installed_plugins_is_cut(site: Site) -> None:
    site.install("acme-pack", plugins=[f"aa{number} = acme_pack:A" for number in range(30)])
    with pytest.raises(PluginNotFound, match=r"'aa\d+' \(acme-pack 1.0\) and \d+ more. Install"):
        load_plugin("zzz")


@pytest.mark.promise("D-PLUG-13")
def test_two_distributions_with_one_name_are_told_apart_by_the_caller(acme: Site) -> None:
    acme.install("Acme.Two", "2.0", plugins=["acme = acme_two:Acme"], acme_two="def Acme(): return 'two'")
    message = (
        r"^Plugin 'acme' is offered more than once: 'acme' \(Acme.Two 2.0\), 'acme' \(acme-pack 1.2\). "
        "Pass distribution='Acme.Two'"
    )
    with pytest.raises(PluginAmbiguous, match=message):
        load_plugin("acme")
    assert load_plugin("acme", distribution="acme_two") == "two"
    assert load_plugin("acme", distribution="acme-pack", url="u").url == "u"


def test_one_distribution_with_one_name_twice_is_refused(site: Site) -> None:
    site.install("acme-pack", plugins=["acme = a:A", "acme = b:B"])
    with pytest.raises(PluginAmbiguous, match="has to offer each plugin under a name of its own"):
        load_plugin("acme", distribution="acme-pack")


@pytest.mark.promise("D-PLUG-14")
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise RuntimeError('disk-full')", "RuntimeError: disk-full"),
        (f"raise RuntimeError('password={SECRET}')", r"RuntimeError\. "),
        ("import asyncio; raise asyncio.CancelledError", r"CancelledError\. "),
        ("raise GeneratorExit", r"GeneratorExit\. "),
        ("import acme_that_is_not_there", "ModuleNotFoundError: No module named 'acme_that_is_not_there'"),
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
def test_a_broken_pack_stops_nobody_else(acme: Site) -> None:
    host = PluginHost()
    host.register(load_plugin("acme", url="u"))
    with pytest.raises(PluginLoadFailed, match=r"^Plugin 'other' \(other-pack 0.9\)"):
        host.register(load_plugin("other"))
    assert [origin.plugin for origin in host.plugins] == ["acme"]


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


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("acme_pack:Missing", "'acme_pack:Missing' names 'Missing', which does not exist. Repair or reinstall x-pack"),
        ("acme_pack:Acme.missing.more", ".* names 'missing', which does not exist"),
        ("acme_pack:VALUE", "'acme_pack:VALUE' is an int. An entry point has to name a class or a factory"),
        ("acme_pack", "'acme_pack' is a module. An entry point has to name a class or a factory"),
        (":Acme", "the module '' could not be imported: ValueError"),
        (".acme:Acme", "the module '.acme' could not be imported: TypeError"),
        ("acme_pack:later", "'acme_pack:later' is an async function. A factory is a plain one"),
        ("acme_pack:only", "'acme_pack:only' raised TypeError"),
        ("builtins:iter", "'builtins:iter' raised TypeError"),
    ],
)
def test_entry_points_that_lead_nowhere(value: str, message: str, acme: Site) -> None:
    acme.install("x-pack", plugins=[f"x = {value}"])
    with pytest.raises(PluginLoadFailed, match=rf"^Plugin 'x' \(x-pack 1.0\): {message}"):
        load_plugin("x")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3,), "name: must be the name of a plugin, not an int"),
        ((object(),), "name: must be the name of a plugin, not an object; register objects as they are"),
        (("acme", {"distribution": 3}), "distribution: must be the name of a distribution, not an int"),
        (("acme", {"options": "url"}), "options: must be a mapping of names to values, not a str"),
        (("acme", {"options": {1: 2}}), "options: must have names as keys, not an int"),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[Any, ...], message: str, acme: Site) -> None:
    name, more = arguments[0], arguments[1] if len(arguments) > 1 else {}
    with pytest.raises(InvalidValue, match=message) as refusal:
        load_plugin(name, **more)
    assert isinstance(refusal.value, DittoError)


def test_loading_works_inside_a_running_loop(acme: Site) -> None:
    async def scenario() -> Any:
        return load_plugin("acme", url="u")

    assert asyncio.run(scenario()).url == "u"
