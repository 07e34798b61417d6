"""Keys of plugins' sections that code gives, beside a file or without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest

from ditto_core import ConfigError, InvalidValue, load_config


@attrs.frozen(kw_only=True)
class Options:
    """What a plugin wants to know."""

    base_url: str
    pages: int = 1


def test_a_plugin_is_configured_without_a_file() -> None:
    config = load_config(None, plugins={"acme": {"baseUrl": "https://acme.example"}})
    assert config.plugins == ("acme",)
    assert config.plugin("acme", Options) == Options(base_url="https://acme.example")


def test_what_code_gives_stands_in_place_of_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "ditto.yaml"
    file.write_text("plugins: {acme: {baseUrl: a, pages: 3}, other: {x: 1}}", encoding="utf-8")
    config = load_config(file, plugins={"acme": {"baseUrl": "b"}})
    assert config.plugin("acme", Options) == Options(base_url="b", pages=3)
    assert config.plugins == ("acme", "other")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([("acme", {})], "plugins: must be a mapping"),
        ({1: {}}, "plugins: must have names of plugins as keys, not an int"),
        ({"acme": None}, "plugins.acme: must be an object"),
        ({"acme": {"pages": float("nan")}}, "plugins.acme.pages"),
    ],
)
def test_what_is_no_section_is_refused_at_once(given: Any, told: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        load_config(None, plugins=given)
    assert str(caught.value).startswith(told)


def test_what_is_wrong_in_it_is_told_by_its_dotted_path_and_without_a_line(tmp_path: Path) -> None:
    file = tmp_path / "ditto.json"
    file.write_text('{"plugins": {"acme": {"pages": 3}}}', encoding="utf-8")
    config = load_config(file, plugins={"acme": {"baseUrl": "b", "page": 2}})
    with pytest.raises(ConfigError) as caught:
        config.plugin("acme", Options)
    assert str(caught.value).startswith("the options: plugins.acme.page ")
    assert "'pages'" in str(caught.value)


def _texts(base_url: str, more: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    return base_url, more


def test_what_was_given_is_a_copy() -> None:
    given: dict[str, Any] = {"acme": {"baseUrl": "a", "more": [1]}}
    config = load_config(None, plugins=given)
    given["acme"]["more"].append(2)
    given["acme"]["baseUrl"] = "b"
    assert config.plugin("acme", _texts) == ("a", (1,))
