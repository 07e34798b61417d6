"""Whatever is written: typing errors are named, what is valid is read back, and nothing that was given changes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import Config, ConfigError, JsonValue, load_config

PATHS = [
    "runtime.timeoutMs",
    "runtime.maxTurns",
    "runtime.graphConcurrency",
    "runtime.loopMaxIterations",
    "runtime.react.maxActionCalls",
    "runtime.react.maxTotalTokens",
    "runtime.sandbox.timeoutMs",
    "runtime.sandbox.maxOutputBytes",
]


@attrs.frozen
class Anything:
    value: JsonValue = None


def loaded(text: str, name: str) -> Config:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        config = load_config(path)
        assert path.read_text(encoding="utf-8") == text
    return config


def document(path: str, value: Any) -> dict[str, Any]:
    """Give a document with one value at a dotted path."""
    first, _, rest = path.partition(".")
    return {first: document(rest, value) if rest else value}


def changed(key: str, where: int, letter: str, *, how: str) -> str:
    """Give the key with one letter too many, too few, or another."""
    where %= len(key)
    return key[:where] + ("" if how == "delete" else letter) + key[where + (how != "insert") :]


@pytest.mark.promise("D-CFG-04")
@given(
    st.sampled_from(PATHS),
    st.integers(0, 3),
    st.integers(0, 30),
    st.sampled_from("aZ_"),
    st.sampled_from(["insert", "delete", "change"]),
)
def test_a_misspelt_key_is_always_refused_and_named(path: str, which: int, where: int, letter: str, how: str) -> None:
    names = path.split(".")
    which %= len(names)
    right = names[which]
    names[which] = changed(right, where, letter, how=how)
    if names[which] == right:
        return
    with pytest.raises(ConfigError) as refusal:
        loaded(json.dumps(document(".".join(names), 1)), "ditto.yaml")
    problem = f"{'.'.join(names[: which + 1])} is not known. Did you mean '{right}'?"
    assert str(refusal.value).startswith(f"ditto.yaml, line 1: {problem}")


@given(st.dictionaries(st.sampled_from(PATHS), st.integers(1, 10_000)))
def test_settings_are_read_back_as_they_were_written(settings: dict[str, int]) -> None:
    text = "".join(f"{path}: {value}\n" for path, value in settings.items())
    whole: dict[str, Any] = {}
    for path, value in settings.items():
        inner = whole
        *groups, key = path.split(".")
        for group in groups:
            inner = inner.setdefault(group, {})
        inner[key] = value
    config = loaded(json.dumps(whole, indent=1), "ditto.yml")
    assert config.runtime == loaded(json.dumps(whole), "ditto.json").runtime, text
    read = attrs.asdict(config.runtime)
    for path, value in settings.items():
        found: Any = read
        for name in path.split(".")[1:]:
            snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
            found = found[snake.removesuffix("_ms")]
        assert found == (value / 1000 if path.endswith("Ms") else value)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.promise("D-CFG-01")
@given(_values)
def test_json_is_read_alike_as_yaml_and_as_json(value: Any) -> None:
    text = json.dumps({"plugins": {"x": {"value": value}}})
    as_json, as_yaml = (loaded(text, name).plugin("x", Anything).value for name in ("d.json", "d.yaml"))
    assert as_json == as_yaml == value
