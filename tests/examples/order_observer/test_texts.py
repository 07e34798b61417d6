"""JSON as it is compared, fingerprinted and read, and what a model's answer is taken for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InteractionError
from ditto_infer import ModelMessage, Sample, SampleResult
from order_observer import DecisionRejected, NotInterpreted
from order_observer.interpreting import answer_of
from order_observer.json_text import NotJson, canonical, fingerprint, read, same

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10)


@given(values)
def test_what_is_written_is_read_as_it_was(value: Any) -> None:
    assert same(read(canonical(value)), value)
    assert fingerprint(read(json.dumps(value, indent=1))) == fingerprint(value)


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), (0, False), ("1", 1), (None, False), ({}, [])])
def test_values_that_python_takes_for_equal_are_told_apart(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert not same({"a": one}, {"a": other})


NO_JSON = ["", "{", "NaN", "[Infinity]", "-Infinity", "1e999", "1 2", "9" * 5_000, "[" * 5_000, '"\\ud800"']


@pytest.mark.parametrize("text", [*NO_JSON, '{"a":1,"a":1}'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        read(text)


def answered(text: str, finish: Any = "stop") -> SampleResult:
    sample = Sample(message=ModelMessage(role="assistant", content=text), finish_reason=finish)
    return SampleResult(execution_id="1", node="INFER.REASONING.SAMPLE", status="success", output=sample)


@pytest.mark.parametrize(
    "text", ['{"a": 1}', ' {"a": 1}\n', '```json\n{"a": 1}\n```', '```\n{"a": 1}```', '```json  \n\n{"a": 1}\n\n```\n']
)
def test_one_fence_around_an_answer_is_taken_off(text: str) -> None:
    assert answer_of(answered(text)) == {"a": 1}


@pytest.mark.parametrize(
    "text", ["", "Fine.", 'So: {"a": 1}', '{"a": 1} So.', '```json\n{"a": 1}', '{"a": 1, "a": 2}', "NaN"]
)
def test_an_answer_with_anything_else_is_refused(text: str) -> None:
    with pytest.raises(DecisionRejected, match="is no JSON"):
        answer_of(answered(text))


@pytest.mark.promise("UND-11")
def test_only_a_whole_answer_counts() -> None:
    with pytest.raises(NotInterpreted, match="length"):
        answer_of(answered('{"a": 1}', "length"))
    error = InteractionError(code="TIMEOUT", message="There was no answer.")
    late = SampleResult(execution_id="1", node="INFER.REASONING.SAMPLE", status="timeout", error=error)
    with pytest.raises(NotInterpreted) as caught:
        answer_of(late)
    assert caught.value.code == "TIMEOUT"
