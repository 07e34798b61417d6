"""The schema and the loader agree, and the one that is shipped with the documentation is the current one."""

from __future__ import annotations

import json
from typing import Any

import attrs
import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_brave import BraveSearch
from ditto_commands import CommandTools
from ditto_console import ConsoleSink
from ditto_core import ConfigError, InvalidValue, config_schema
from ditto_core.config.json_text import read_json
from ditto_core.config.reading import read_document, sections_of
from ditto_local_search import LocalSearch
from tests.support.configs import Orbit, Window
from tests.support.project import ROOT

PLUGINS = {"commands": CommandTools, "console": ConsoleSink, "orbit": Orbit}
SCHEMA = config_schema(PLUGINS)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

_values = st.sampled_from(
    [
        *(0, 1, 5, 10, 11, 10_001, 2_147_483_648, 5.0, 1.5, -1, 1e300, True, False, None, "", "json", "fast", "5"),
        *([], ["a"], [1], {}, {"a": 1}, {"firstLine": 1}, {"firstLine": 1, "lastLine": None}, {"lastLine": 2}),
    ]
)


def some(keys: list[str], values: st.SearchStrategy[Any] = _values) -> st.SearchStrategy[Any]:
    """Give objects with a few keys, most of them known, some of them misspelt."""
    known = st.sampled_from(keys)
    return st.dictionaries(st.one_of(known, known, known, known.map(lambda key: f"{key}s")), values, max_size=3)


def keys(*path: str) -> list[str]:
    found: Any = SCHEMA
    for name in path:
        found = found["properties"][name]
    return list(found["properties"])


_groups = st.one_of(_values, some(keys("runtime", "react")), some(keys("runtime", "sandbox")))
_sections = {name: some(keys("plugins", name)) for name in PLUGINS}
_documents = st.fixed_dictionaries(
    {},
    optional={
        "runtime": st.one_of(some(keys("runtime"), _groups), _values),
        "plugins": st.one_of(st.fixed_dictionaries({}, optional={**_sections, "other": _values}), _values),
        "workers": st.one_of(
            st.fixed_dictionaries(
                {}, optional={"interaction": some(["commands", "webSearch"], _sections["commands"])}
            ),
            _values,
        ),
        "more": st.just(1),
    },
)


def loads(document: Any) -> bool:
    """Tell whether a document and all its sections can be loaded."""
    try:
        value, source = read_json(json.dumps(document), "d.json")
        sections = sections_of(read_document(value, source), source)
        for name, section in sections.items():
            if name in PLUGINS:
                section.make(PLUGINS[name])
    except ConfigError as error:
        # What a class checks by itself, no schema tells.
        return any(told in str(error) for told in ("must not be", "too many"))
    return True


@pytest.mark.promise("D-CFG-06")
@given(_documents)
def test_what_the_schema_allows_is_what_can_be_loaded(document: Any) -> None:
    assert VALIDATOR.is_valid(document) == loads(document)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(config_schema())
    assert config_schema()["properties"]["plugins"]["properties"] == {}  # type: ignore[index, call-overload]


@pytest.mark.promise("D-CFG-06")
def test_the_schema_beside_the_documentation_is_that_of_the_bundled_plugins() -> None:
    bundled = config_schema(
        {"commands": CommandTools, "brave": BraveSearch, "local_search": LocalSearch, "console": ConsoleSink}
    )
    written = (ROOT / "docs/ditto.schema.json").read_text(encoding="utf-8")
    assert written == json.dumps(bundled, indent=2) + "\n", "write it anew, as docs/configuration.md says"


def test_the_schema_tells_defaults_bounds_and_descriptions() -> None:
    orbit: Any = config_schema({"orbit": Orbit})
    options = orbit["properties"]["plugins"]["properties"]["orbit"]["properties"]
    assert options["timeoutMs"] == {"type": "integer", "minimum": 1, "maximum": 2_147_483_647, "default": 10_000}
    assert options["pauseMs"] == {"type": "integer", "minimum": 0, "maximum": 5_000}
    assert options["maxRows"] == {"type": "integer", "minimum": 1, "maximum": 10, "default": 5}
    assert options["names"]["default"] == []
    assert options["window"]["required"] == ["firstLine"]
    assert "stream" not in options


WINDOW = Window(first_line=3)


@attrs.frozen
class Tree:
    window: Window = WINDOW
    inner: Tree | None = None


def test_what_has_no_json_form_is_not_in_the_schema() -> None:
    sections: Any = config_schema({"tree": Tree, "native": dict})
    options = {name: found["properties"] for name, found in sections["properties"]["plugins"]["properties"].items()}
    assert options["tree"].keys() == {"window"}
    assert "default" not in options["tree"]["window"]
    assert options["native"] == {}


def test_a_class_whose_annotations_cannot_be_read_has_no_schema() -> None:
    def broken(rows: "Missing") -> None:  # type: ignore[name-defined]  # noqa: F821, UP037
        """Has an annotation that names nothing."""

    with pytest.raises(InvalidValue, match=r"^x: has a class whose options cannot be read: it has an annotation with"):
        config_schema({"x": broken})
