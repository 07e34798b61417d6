"""What is installed, read from metadata."""

from __future__ import annotations

import sys

import pytest

import ditto_core
from ditto_core import InstalledPlugin, installed_plugins
from tests.support.plugins import Site


def orbit_plugins() -> list[InstalledPlugin]:
    return [plugin for plugin in installed_plugins() if "orbit" in plugin.value]


@pytest.mark.promise("D-PLUG-15")
def test_installed_plugins_are_listed_in_order_and_not_imported(site: Site) -> None:
    source = "raise AssertionError('nobody imports it')"
    site.install(
        "Orbit_Pack", "1.2", plugins=["z = orbit_unwanted:A", "a = orbit_unwanted.b:C.d [x]"], orbit_unwanted=source
    )
    site.install("orbit-other", "0.1", plugins=["a = orbit_other"])
    assert orbit_plugins() == [
        InstalledPlugin(name="a", distribution="Orbit_Pack", version="1.2", value="orbit_unwanted.b:C.d [x]"),
        InstalledPlugin(name="a", distribution="orbit-other", version="0.1", value="orbit_other"),
        InstalledPlugin(name="z", distribution="Orbit_Pack", version="1.2", value="orbit_unwanted:A"),
    ]
    assert [(plugin.module, plugin.attribute) for plugin in orbit_plugins()] == [
        ("orbit_unwanted.b", "C.d"),
        ("orbit_other", ""),
        ("orbit_unwanted", "A"),
    ]
    assert "orbit_unwanted" not in sys.modules


@pytest.mark.promise("D-PLUG-15")
def test_nothing_loads_all() -> None:
    assert {name for name in dir(ditto_core) if name.startswith("load")} <= {"load_plugin", "load_config"}


@pytest.mark.case("PLUG-01")
@pytest.mark.parametrize("broken", [b"[ditto.plugins]\nno equals sign\n", b"\xff\xfe", b"[ditto.plugins\na=b\n"])
def test_a_distribution_that_cannot_be_read_hides_no_other(site: Site, broken: bytes) -> None:
    (site.install("broken-pack") / "entry_points.txt").write_bytes(broken)
    site.install("orbit-pack", "1.2", plugins=["orbit = orbit_pack:Orbit"])
    assert [plugin.name for plugin in orbit_plugins()] == ["orbit"]


@pytest.mark.parametrize("metadata", [None, b"", b"\xff\xfe"])
def test_a_distribution_without_a_name_is_listed_without_one(site: Site, metadata: bytes | None) -> None:
    file = site.install("orbit-pack", "1.2", plugins=["orbit = orbit_pack:Orbit"]) / "METADATA"
    if metadata is None:
        file.unlink()
    else:
        file.write_bytes(metadata)
    (plugin,) = orbit_plugins()
    assert (plugin.distribution, plugin.version) == ("?", "?")
