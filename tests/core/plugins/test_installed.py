"""What is installed, read from metadata."""

from __future__ import annotations

import sys

import pytest

import ditto_core
from ditto_core import InstalledPlugin, installed_plugins
from tests.support.plugins import Site


def acme_plugins() -> list[InstalledPlugin]:
    return [plugin for plugin in installed_plugins() if "acme" in plugin.value]


@pytest.mark.promise("D-PLUG-15")
def test_installed_plugins_are_listed_in_order_and_not_imported(site: Site) -> None:
    source = "raise AssertionError('nobody imports it')"
    site.install(
        "Acme_Pack", "1.2", plugins=["z = acme_unwanted:A", "a = acme_unwanted.b:C.d [x]"], acme_unwanted=source
    )
    site.install("acme-other", "0.1", plugins=["a = acme_other"])
    assert acme_plugins() == [
        InstalledPlugin(name="a", distribution="Acme_Pack", version="1.2", value="acme_unwanted.b:C.d [x]"),
        InstalledPlugin(name="a", distribution="acme-other", version="0.1", value="acme_other"),
        InstalledPlugin(name="z", distribution="Acme_Pack", version="1.2", value="acme_unwanted:A"),
    ]
    assert [(plugin.module, plugin.attribute) for plugin in acme_plugins()] == [
        ("acme_unwanted.b", "C.d"),
        ("acme_other", ""),
        ("acme_unwanted", "A"),
    ]
    assert "acme_unwanted" not in sys.modules


@pytest.mark.promise("D-PLUG-15")
def test_nothing_loads_all() -> None:
    assert {name for name in dir(ditto_core) if name.startswith("load")} <= {"load_plugin", "load_config"}


@pytest.mark.case("PLUG-01")
@pytest.mark.parametrize("broken", [b"[ditto.plugins]\nno equals sign\n", b"\xff\xfe", b"[ditto.plugins\na=b\n"])
def test_a_distribution_that_cannot_be_read_hides_no_other(site: Site, broken: bytes) -> None:
    (site.install("broken-pack") / "entry_points.txt").write_bytes(broken)
    site.install("acme-pack", "1.2", plugins=["acme = acme_pack:Acme"])
    assert [plugin.name for plugin in acme_plugins()] == ["acme"]


@pytest.mark.parametrize("metadata", [None, b"", b"\xff\xfe"])
def test_a_distribution_without_a_name_is_listed_without_one(site: Site, metadata: bytes | None) -> None:
    file = site.install("acme-pack", "1.2", plugins=["acme = acme_pack:Acme"]) / "METADATA"
    if metadata is None:
        file.unlink()
    else:
        file.write_bytes(metadata)
    (plugin,) = acme_plugins()
    assert (plugin.distribution, plugin.version) == ("?", "?")
