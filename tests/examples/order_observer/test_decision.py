"""Which decisions pass."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ditto_core import ExternalResult, to_wire
from order_observer import DecisionRejected, facts, validate_decision
from order_observer.decision import FIELDS, SCHEMA
from order_observer.evidence import ErrorKind, NextAction, RemoteState
from tests.examples.order_observer.values import REQUEST, order, result, results

RESULT = result("", order())


def right(**fields: Any) -> dict[str, Any]:
    found: Any = to_wire(facts(RESULT, REQUEST, 0))
    whole = {**found, "reason": "It is completed.", **fields}
    return {name: value for name, value in whole.items() if value is not ...}


@pytest.mark.promise("UND-12")
def test_a_right_decision_is_rebuilt_from_the_evidence() -> None:
    assert to_wire(validate_decision(right(), RESULT, REQUEST, 0)) == right()


@pytest.mark.promise("UND-12")
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_too_few_is_named(field: str) -> None:
    with pytest.raises(DecisionRejected) as caught:
        validate_decision(right(**{field: ...}), RESULT, REQUEST, 0)
    assert caught.value.field == field


@pytest.mark.promise("UND-12")
@pytest.mark.parametrize("value", [right(confidence=1), [], "complete", None, {}])
def test_what_has_another_shape_is_refused(value: Any) -> None:
    with pytest.raises(DecisionRejected):
        validate_decision(value, RESULT, REQUEST, 0)


@pytest.mark.promise("UND-14")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("totalCents", 747.0),
        ("totalCents", "747"),
        ("totalCents", None),
        ("totalCents", 999_999),
        ("callId", "task-1:round-1"),
        ("orderId", "ORD-2"),
        ("remoteState", "unknown"),
        ("errorKind", "transient"),
        ("nextAction", "retry"),
        ("reason", ""),
        ("reason", " \n"),
        ("reason", "x" * 1_001),
        ("reason", 1),
    ],
)
def test_what_the_evidence_does_not_say_is_refused(field: str, value: Any) -> None:
    with pytest.raises(DecisionRejected) as caught:
        validate_decision(right(**{field: value}), RESULT, REQUEST, 0)
    assert caught.value.field == field


@given(results, st.sampled_from(FIELDS), st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()))
def test_no_other_value_passes_whatever_the_result(result: ExternalResult, field: str, value: Any) -> None:
    found: Any = to_wire(facts(result, REQUEST, 0))
    given = {**found, "reason": "So it is.", field: value}
    passes = type(value) is type(found[field]) and value == found[field] if field in found else _is_reason(value)
    if passes:
        validate_decision(given, result, REQUEST, 0)
    else:
        with pytest.raises(DecisionRejected):
            validate_decision(given, result, REQUEST, 0)


def _is_reason(value: Any) -> bool:
    return type(value) is str and bool(value.strip()) and len(value) <= 1_000


@pytest.mark.promise("UND-13")
def test_the_schema_names_the_same_words() -> None:
    properties: Any = SCHEMA["properties"]
    for field, words in (("remoteState", RemoteState), ("errorKind", ErrorKind), ("nextAction", NextAction)):
        assert properties[field]["enum"] == list(get_args(words))
    assert tuple(properties) == FIELDS
    assert Draft202012Validator(SCHEMA).is_valid(right())


@given(results)
def test_what_passes_fits_the_schema(result: ExternalResult) -> None:
    found: Any = to_wire(facts(result, REQUEST, 0))
    assert Draft202012Validator(SCHEMA).is_valid({**found, "reason": "So it is."})
