"""Capabilities and the fields of subjects: what can mean nothing is refused, with the field and the remedy."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue
from ditto_testkit import Capabilities, ExecutorSubject, Sink, ToolPack, run_checks
from ditto_testkit.fakes import RecordingSink
from tests.plugins.testkit.packs import Pack, reading

WRONG: list[tuple[str, Any, str]] = [
    ("max_result_bytes", True, "must be a number of bytes from 1 up, not True"),
    ("max_result_bytes", 0, "not 0"),
    ("max_result_bytes", 1e6, "not 1000000.0"),
    ("max_result_bytes", "1 MB", "not '1 MB'"),
    ("call_timeout", False, "must be a number of seconds above 0"),
    ("call_timeout", 0, "not 0"),
    ("call_timeout", -1.0, "not -1.0"),
    ("call_timeout", float("nan"), "not nan"),
    ("call_timeout", float("inf"), "not inf"),
    ("call_timeout", "30", "not '30'"),
    ("narrower_than_schema", {"a": ""}, "needs a reason for 'a', in words"),
    ("narrower_than_schema", {"a": True}, "needs a reason for 'a', in words, not True"),
    ("narrower_than_schema", "a", "must give a reason for each tool, such as {'lookup': 'why'}, not 'a'"),
    ("not_repeatable", ["a"], "must give a reason for each tool, such as {'lookup': 'why'}, not a list"),
    ("not_repeatable", {5: "why"}, "must have names of tools as keys, not 5"),
    ("not_repeatable", None, "not None"),
    ("option_values", "-e", "must be a set of options such as {'-e'}, not '-e'"),
    ("option_values", {"-e": "why"}, "not a dict"),
    ("option_values", 5, "not 5"),
    ("option_values", [5], "must hold options, which begin with '-', and not 5"),
    ("option_values", ["e"], "must hold options, which begin with '-', and not 'e'"),
    ("unobservable", True, "must say why, in words, not True"),
    ("unbreakable", " ", "must say why, in words, not ' '"),
]


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize(("field", "value", "told"), WRONG)
def test_a_capability_that_can_mean_nothing_names_its_field(field: str, value: Any, told: str) -> None:
    with pytest.raises(InvalidValue) as found:
        Capabilities(**{field: value})
    assert found.value.field == f"Capabilities.{field}"
    assert told in str(found.value)


@given(most=st.integers(1), seconds=st.floats(0, 86_400, exclude_min=True), options=st.sets(st.from_regex("^-.*")))
def test_what_can_mean_something_is_kept(most: int, seconds: float, options: set[str]) -> None:
    made = Capabilities(max_result_bytes=most, call_timeout=seconds, option_values=options)  # type: ignore[arg-type]
    assert (made.max_result_bytes, made.call_timeout, made.option_values) == (most, seconds, options)


def pack(**fields: Any) -> ToolPack:
    return ToolPack(make=lambda: Pack(lambda: [reading()]), **fields)


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize(
    ("subject", "told"),
    [
        (pack(arguments=[st.none()]), "ToolPack: arguments: must be a mapping from names to strategies"),
        (pack(arguments={"peak": st.none()}), "ToolPack: arguments: there is no tool 'peak'; there is peek"),
        (pack(arguments={5: st.none()}), "ToolPack: arguments: must have names as keys, not an int"),
        (pack(files={"a": None}), "ToolPack: files: must have texts or bytes as values, but for 'a' there is None"),
        (pack(providers={"a": object()}), "ToolPack: providers: must have search providers"),
        (pack(secrets="made-up-key"), "ToolPack: secrets: must be a list or a tuple of texts, not a str"),
        (pack(secrets=["short"]), "ToolPack: secrets: must be made-up texts of at least 8 characters"),
        (pack(capabilities={}), "ToolPack: capabilities: must be Capabilities(…), not a dict"),
        (pack(capabilities=Capabilities(not_repeatable={"x": "why"})), "there is no tool 'x'; there is peek"),
        (
            Sink(make=RecordingSink, capabilities=Capabilities(not_repeatable={"x": "why"})),
            "Sink: capabilities: not_repeatable: there is no tool 'x'; there is none at all",
        ),
        (ExecutorSubject(make=lambda _: None, program=None), "ExecutorSubject: program: must be the name"),  # type: ignore[arg-type,return-value]
    ],
)
def test_a_subject_that_can_mean_nothing_is_refused(subject: Any, told: str) -> None:
    with pytest.raises(TypeError) as found:
        run_checks(subject)
    assert told in str(found.value)
