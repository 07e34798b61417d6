"""The tables about the read-only commands say what the tools say."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from ditto_commands import CommandTools, limits
from tests.docs.pages import page, rows, span, spans
from tests.support.commands import PROGRAMS, TOOLS, FakeExecutor, about, call, on, words

COMMANDS = page("commands.md")
EVERYTHING: dict[str, Any] = {
    **dict.fromkeys(("recursive", "ignoreCase", "fixedStrings", "all", "reverse", "numeric", "unique", "count"), True),
    "path": "PATH",
    "paths": ["PATH"],
    "pattern": "PATTERN",
    "name": "NAME",
    "fields": "1,3-",
    "delimiter": ",",
    "type": "file",
    "maxDepth": 7,
    "lines": 7,
    "metric": "lines",
}


@pytest.mark.promise("CMD-01", "D-QUAL-07")
def test_the_table_of_the_fourteen_equals_the_tools() -> None:
    table = rows(COMMANDS, "tool", "needs", "takes", "runs")
    assert [span(tool) for tool, *_ in table] == list(PROGRAMS)
    for tool, needs, takes, runs in table:
        schema: Any = TOOLS[span(tool)].input_schema
        assert spans(needs) == schema.get("required", [])
        assert [*spans(needs), *spans(takes)] == sorted(
            schema["properties"], key=lambda name: name not in schema.get("required", [])
        )
        vector = words(span(tool), {name: EVERYTHING[name] for name in schema["properties"]})
        assert span(runs) == " ".join((span(tool), *vector))


@pytest.mark.promise("CMD-15", "CMD-16", "D-QUAL-07")
def test_the_table_of_options_equals_the_plugin() -> None:
    caps = {
        "max_entries": limits.MAX_ENTRIES,
        "max_output_bytes": limits.MAX_OUTPUT_BYTES,
        "max_error_bytes": limits.MAX_ERROR_BYTES,
    }
    defaults = {name: one.default for name, one in inspect.signature(CommandTools).parameters.items()}
    table = rows(COMMANDS, "option", "default", "at the most", "what it bounds")
    assert {span(option): (default, most) for option, default, most, _ in table} == {
        name: (f"{defaults[name]:,}", f"{caps[name]:,}") for name in caps
    }
    assert defaults.keys() == caps.keys()


@pytest.mark.promise("D-CMD-10", "D-QUAL-07")
def test_the_table_of_keys_equals_a_result() -> None:
    table = rows(COMMANDS, "key", "what it says")
    told = [key for keys, _ in table for key in spans(keys)]
    assert told == list(about(call("cat", on("cat", "a"), FakeExecutor())))
