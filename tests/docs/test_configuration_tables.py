"""The tables about configuration say what the code says."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import pytest

from ditto_brave import BraveSearch
from ditto_commands import CommandTools
from ditto_console import ConsoleSink
from ditto_core import config_schema, load_config
from ditto_core.config.environment import RETIRED, VARIABLES
from ditto_core.config.reading import read_document
from ditto_core.config.section import Section
from ditto_core.config.source import Source
from ditto_local_search import LocalSearch
from tests.docs.pages import page, rows, span, spans

PAGE = page("configuration.md")
PLUGINS = {"commands": CommandTools, "brave": BraveSearch, "local_search": LocalSearch, "console": ConsoleSink}
BY_CODE: dict[str, Any] = {"brave": {"api_key": "k"}, "local_search": {"folder": "notes"}}
TEXTS = {
    "format": "text",
    "folder": "docs",
    "baseUrl": "https://docs.example/",
    "suffixes": [".tex"],
    "indexFile": "index.sqlite",
}
"""What is tried of the keys that take no number."""
KEYS = rows(PAGE, "key", "takes", "default", "in Python", "for")


@pytest.mark.promise("D-QUAL-07")
def test_the_table_of_keys_equals_the_schema() -> None:
    schema: Any = config_schema(PLUGINS)
    known = dict(leaves({name: schema["properties"][name] for name in ("runtime", "plugins")}))
    assert [span(key) for key, *_ in KEYS] == list(known)
    for key, takes, default, _, text in KEYS:
        keywords = known[span(key)]
        assert takes == taken(keywords)
        assert default.strip("`") == shown(keywords.get("default", "none"))
        assert text == keywords["description"]


@pytest.mark.promise("D-QUAL-07", "D-CFG-05")
@pytest.mark.parametrize("row", KEYS, ids=[span(key) for key, *_ in KEYS])
def test_a_key_sets_what_the_table_says(row: tuple[str, ...]) -> None:
    path, name = span(row[0]).split("."), span(row[3])
    given: Any = TEXTS.get(path[-1], 250)
    expected = 0.25 if path[-1].endswith("Ms") else tuple(given) if type(given) is list else given
    document: Any = given
    for key in reversed(path):
        document = {key: document}
    found = read_document(document, Source())
    if path[0] == "runtime":
        assert attrgetter(name.removeprefix("config."))(found) == expected
    else:
        section = Section(path="", values=found.plugins[path[1]], source=Source())
        made = PLUGINS[path[1]](**{**BY_CODE.get(path[1], {}), **section.arguments(PLUGINS[path[1]])})
        assert f"{type(made).__name__}.{name.partition('.')[2]}" == name
        assert getattr(made, name.partition(".")[2]) == expected


@pytest.mark.promise("D-QUAL-07")
def test_the_table_of_variables_equals_the_code() -> None:
    table = rows(PAGE, "variable", "takes", "default", "for")
    assert [span(variable) for variable, *_ in table] == list(VARIABLES)
    for variable, takes, _, where in table:
        values = [value for value in spans(takes) if value != "*"] or ["/", "*"]
        config = load_config(None, {span(variable): values[-1]})
        assert attrgetter(spans(where)[0].removeprefix("config."))(config) is not None


@pytest.mark.promise("D-QUAL-07")
def test_the_table_of_retired_variables_equals_the_code() -> None:
    names = [name for names, _ in rows(PAGE, "retired", "instead") for name in spans(names)]
    assert {name for name in names if not name.endswith("…")} == set(RETIRED)


def leaves(groups: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Give the dotted path and the schema of each key that holds a value."""
    for name, keywords in groups.items():
        if "properties" in keywords:
            yield from leaves(keywords["properties"], f"{above}{name}.")
        else:
            yield f"{above}{name}", keywords


def taken(keywords: dict[str, Any]) -> str:
    """Give the values that a key takes, as the table writes them."""
    if "enum" in keywords:
        return ", ".join(f"`{value}`" for value in keywords["enum"])
    if keywords["type"] == "string":
        return "a text"
    if keywords["type"] == "array":
        assert keywords["items"] == {"type": "string"}
        return "a list of texts"
    assert keywords["type"] == "integer"
    most = keywords.get("maximum")
    return f"{keywords['minimum']:,} or more" if most is None else f"{keywords['minimum']:,} to {most:,}"


def shown(value: Any) -> str:
    if type(value) is list:
        return "`, `".join(value)
    return f"{value:,}" if type(value) is int else value
