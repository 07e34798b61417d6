"""Where things come from: known by name at once, by distribution when somebody asks."""

from __future__ import annotations

import importlib.metadata
import types

import pytest

from ditto_core import Origin, PluginHost, Sandbox, ToolCall, ToolContext
from ditto_core.plugins.installed import provider_of
from tests.support import run
from tests.support.plugins import Pack, Site
from tests.support.tools import make_tool


def test_an_origin_reads_as_a_part_of_a_sentence() -> None:
    assert str(Origin("acme", "acme-pack", "1.2")) == "plugin 'acme' (acme-pack 1.2)"
    assert str(Origin("acme", "acme-pack")) == "plugin 'acme' (acme-pack)"
    assert str(Origin("acme")) == "plugin 'acme'"
    assert repr(Origin("acme", "acme-pack", "1.2")) == "Origin('acme', 'acme-pack', '1.2')"


@pytest.mark.case("SEC-06")
def test_an_origin_stays_on_one_line() -> None:
    assert str(Origin("a\nb", "c\x1bd", "1\u20282")) == r"plugin 'a\nb' (c\x1bd 1\u20282)"


def test_origins_are_compared_by_what_they_say() -> None:
    assert Origin("acme", "acme-pack", "1.2") == Origin("acme", "acme-pack", "1.2")
    assert len({Origin("acme"), Origin("acme"), Origin("acme", "acme-pack"), Origin("other")}) == 3
    assert Origin("acme") != "acme"


@pytest.mark.promise("D-PLUG-10")
def test_metadata_is_read_when_somebody_asks_and_through_entry_points_only(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.install("acme-pack", "1.2", plugins=["acme = tests.support.plugins:Pack"])
    asked: list[str] = []
    entry_points = importlib.metadata.entry_points

    def counted(*, group: str) -> importlib.metadata.EntryPoints:
        asked.append(group)
        return entry_points(group=group)

    def forbidden() -> None:
        raise AssertionError("packages are not searched")

    monkeypatch.setattr(importlib.metadata, "entry_points", counted)
    monkeypatch.setattr(importlib.metadata, "packages_distributions", forbidden)
    host = PluginHost()
    host.register(Pack(make_tool("grep")))
    run(host.tools.call(ToolCall(id="1", name="grep", arguments={}), ToolContext(sandbox=Sandbox(tools=["*"]))))
    assert asked == []
    origin = host.plugins[0]
    assert (str(origin), origin.distribution, origin.version) == ("plugin 'pack' (acme-pack 1.2)", "acme-pack", "1.2")
    assert asked == ["ditto.plugins"]


def test_the_nearest_entry_point_tells_the_distribution(site: Site) -> None:
    site.install("acme-pack", "1.2", plugins=["a = acme.first:A", "b = acme.first.sub:B", "c = acme.one"])
    site.install("acme-more", "2.0", plugins=["d = acme.second : D", "e = acme.second.deep:E [extra]"])
    site.install("other", "3.0", plugins=["f = other_pack.plugins:F", "bad = ::"])
    assert provider_of("acme.first.sub.more") == ("acme-pack", "1.2")
    assert provider_of("acme.second.deep") == ("acme-more", "2.0")
    assert provider_of("acme.firstborn") is None  # both distributions have a part of acme
    assert provider_of("other_pack.impl") == ("other", "3.0")
    assert provider_of("unheard_of.module") is None


def test_a_plugin_without_an_entry_point_belongs_to_the_distribution_of_its_packages_name(site: Site) -> None:
    site.install("Acme-Pack", "1.2")
    assert provider_of("acme_pack.tools") == ("Acme-Pack", "1.2")
    assert provider_of("__main__") is None
    assert provider_of("") is None


def test_a_module_is_its_own_origin(site: Site) -> None:
    site.install("acme-pack", "1.2", plugins=["acme = acme_pack:make"])
    module = types.ModuleType("acme_pack.plugin")
    module.__dict__.update(api_version=1, ditto_tools=Pack.ditto_tools)
    assert str(Origin("acme", module=module.__name__)) == "plugin 'acme' (acme-pack 1.2)"
