"""Plugins loaded by name with their section of a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ditto_core import ConfigError, InvalidValue, PluginLoadFailed, load_config, load_plugin
from tests.support.plugins import Site

SECRET = "hunter2-horse"
PACK = """
from typing import Annotated
import attrs
from attrs.validators import ge
from ditto_core import InvalidValue, duration

@attrs.frozen(kw_only=True, eq=False)
class Orbit:
    url: str
    stream: object = None
    max_rows: Annotated[int, ge(1)] = 3
    timeout: float = attrs.field(default=10.0, metadata=duration())
    config: str = ""

    def __attrs_post_init__(self):
        if self.url == "nowhere":
            raise InvalidValue("Orbit.url", "leads to no place")
        if self.url == "crash":
            raise RuntimeError("disk-full")
        if self.url.startswith("hunter"):
            raise InvalidValue("Orbit.url", f"is not {self.url}")

def make(url: str, *, max_rows: int = 3, **more):
    return url, max_rows, more

def raises(url: str):
    raise SystemExit(3)
"""


@pytest.fixture
def orbit(site: Site) -> Site:
    """Give a site with a distribution of three plugins."""
    plugins = ["orbit = orbit_pack:Orbit", "made = orbit_pack:make", "exits = orbit_pack:raises"]
    site.install("orbit-pack", plugins=plugins, orbit_pack=PACK)
    return site


def load(site: Site, text: str) -> Any:
    path = Path(site.folder, "ditto.yaml")
    path.write_text(text, encoding="utf-8")
    return load_config(path)


@pytest.mark.promise("CFG-04", "D-PLUG-12", "D-PLUG-12b")
def test_the_later_of_section_options_and_keyword_arguments_wins(orbit: Site) -> None:
    config = load(orbit, "plugins: {orbit: {url: a, maxRows: 1, timeoutMs: 500, config: b}}")
    stream = object()
    plugin = load_plugin("orbit", config=config, options={"max_rows": 2, "url": "b"}, url="c", stream=stream)
    assert (plugin.url, plugin.max_rows, plugin.timeout, plugin.config) == ("c", 2, 0.5, "b")
    assert plugin.stream is stream
    assert load_plugin("orbit", config=config, options={"config": "c"}).config == "c"


@pytest.mark.promise("CFG-04")
def test_the_bundled_commands_take_their_section_whole(site: Site) -> None:
    config = load(site, "workers: {interaction: {commands: {maxEntries: 5}}}")
    assert load_plugin("commands", config=config).max_entries == 5
    assert load_plugin("commands", config=load_config(None)).max_entries == 1_000


@pytest.mark.parametrize("given", [{"options": {"url": "a"}}, {"url": "a"}, {"config": "plugins: {orbit: {url: a}}"}])
def test_what_is_required_may_come_from_any_of_the_three(given: dict[str, Any], orbit: Site) -> None:
    config = load(orbit, given.pop("config", "{}"))
    assert load_plugin("orbit", config=config, **given).url == "a"


def test_what_nobody_gives_is_missing(orbit: Site) -> None:
    with pytest.raises(PluginLoadFailed, match=r"^Plugin 'orbit' \(orbit-pack 1.0\): needs 'url', which is not given"):
        load_plugin("orbit", config=load(orbit, "plugins: {orbit: {maxRows: 1}}"))


def test_a_factory_takes_what_its_annotations_tell(orbit: Site) -> None:
    config = load(orbit, "plugins: {made: {url: a, maxRows: 5}}")
    assert load_plugin("made", config=config, more=1) == ("a", 5, {"more": 1})
    with pytest.raises(
        ConfigError, match=r"^ditto.yaml, line 1: plugins.made.more is not known. Known here: 'maxRows'"
    ):
        load_plugin("made", config=load(orbit, "plugins: {made: {url: a, more: 5}}"))


@pytest.mark.promise("D-CFG-04")
@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ("{maxRow: 5}", "plugins.orbit.maxRow is not known. Did you mean 'maxRows'?"),
        ("{maxRows: 0}", "plugins.orbit.maxRows must be an integer of at least 1."),
        ("{maxRows: null}", "plugins.orbit.maxRows must be an integer of at least 1, not null; give it a value, or"),
        ("{timeout: 5}", "plugins.orbit.timeout is not known. Did you mean 'timeoutMs'?"),
        ("{stream: 5}", "plugins.orbit.stream can be given in code only, since no file can hold it"),
        ("{url: nowhere}", "plugins.orbit.url leads to no place."),
        (f"{{url: {SECRET}}}", "plugins.orbit.url is refused (InvalidValue)."),
    ],
)
def test_what_is_wrong_in_the_section_names_its_path(section: str, problem: str, orbit: Site) -> None:
    with pytest.raises(ConfigError) as refusal:
        load_plugin("orbit", config=load(orbit, f"plugins: {{orbit: {section}}}"))
    assert str(refusal.value).startswith(f"ditto.yaml, line 1: {problem}")
    assert SECRET not in str(refusal.value)
    assert refusal.value.__cause__ is None


def test_what_code_gave_is_not_blamed_on_the_section(orbit: Site) -> None:
    config = load(orbit, "plugins: {orbit: {url: a}}")
    with pytest.raises(
        PluginLoadFailed, match=r"raised InvalidValue: Orbit.url: leads to no place. Check its options and"
    ):
        load_plugin("orbit", config=config, url="nowhere")


@pytest.mark.parametrize(("name", "told"), [("orbit", "RuntimeError: disk-full"), ("exits", "SystemExit: 3")])
def test_what_a_plugin_raises_is_told_with_the_section(name: str, told: str, orbit: Site) -> None:
    with pytest.raises(PluginLoadFailed, match=rf"raised {told}. Check its options and plugins.{name}\.$"):
        load_plugin(name, config=load(orbit, f"plugins: {{{name}: {{url: crash}}}}"))


def test_only_a_configuration_is_one(orbit: Site) -> None:
    with pytest.raises(
        InvalidValue, match=r"^config: must be what load_config returned, not a dict; give an option of"
    ):
        load_plugin("orbit", config={"url": "a"})  # type: ignore[arg-type]
