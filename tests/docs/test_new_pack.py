"""What the guide tells of a new pack is what ``ditto new pack`` makes."""

from __future__ import annotations

import re
from pathlib import Path

from ditto_terminal.beginning import begin_pack
from tests.docs.pages import fences, page, section

PAGE = page("writing-a-pack.md")


def test_the_tree_is_that_of_a_new_pack(tmp_path: Path) -> None:
    begin_pack("acme-weather", tmp_path)
    (tree,) = (fence.lines for fence in fences(section(PAGE, "## 1. Begin")) if fence.lines[0] == "acme-weather/")
    made = tmp_path / "acme-weather"
    assert [line.split()[1] for line in tree[1:]] == sorted(
        path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()
    )


def test_the_options_that_are_shown_are_those_of_a_new_pack(tmp_path: Path) -> None:
    begin_pack("acme-weather", tmp_path)
    plugin = (tmp_path / "acme-weather/src/acme_weather/plugin.py").read_text(encoding="utf-8")
    for option in re.findall(r'load_plugin\("acme-weather", (\w+)=', PAGE):
        assert f"\n    {option}: " in plugin
    assert "class AcmeWeather:" in plugin
