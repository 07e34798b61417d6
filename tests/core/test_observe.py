"""From a result to an observation."""

from __future__ import annotations

import copy
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    ExternalResult,
    InteractionError,
    InvalidValue,
    JsonPart,
    ObserveInput,
    Reference,
    ReferencePart,
    TextPart,
    observe,
)
from ditto_core.contracts.content import enter_content
from tests.support.strategies import NOT_JSON, results

PART: Any = {"type": "text", "text": "a"}
KEPT = ("call_id", "source", "status", "structured_content", "references", "error", "metadata")


def _observed(**fields: Any) -> Any:
    return observe(ObserveInput(result=ExternalResult(call_id="read-1", source="read_text", **fields)))


@given(results)
@pytest.mark.promise("OBS-01", "OBS-02", "OBS-03", "OBS-08")
def test_everything_but_content_is_kept_and_the_input_stays_as_it_was(result: ExternalResult) -> None:
    before = copy.deepcopy(result)
    observation = observe(ObserveInput(result=result))
    assert observation == observe(ObserveInput(result=result))
    assert result == before
    for name in KEPT:
        assert getattr(observation, name) is getattr(result, name)
    assert (observation.message.role, observation.message.name) == ("tool", result.source)
    assert not hasattr(observation, "content")


@given(results)
@pytest.mark.promise("OBS-05", "OBS-06", "D-VAL-10")
def test_the_message_holds_failure_content_structure_and_references_in_order(result: ExternalResult) -> None:
    content = observe(ObserveInput(result=result)).message.content
    parts: list[Any] = [TextPart(text=content)] if isinstance(content, str) else list(content or ())  # type: ignore[arg-type]
    if result.status != "success":
        assert result.error
        assert parts.pop(0) == TextPart(text=f"{result.status}: {result.error.code}: {result.error.message}")
    for reference in reversed(result.references or ()):
        assert parts.pop() == ReferencePart(reference=reference)
    if result.structured_content is not UNSET:
        assert parts.pop() == JsonPart(data=result.structured_content)
    expected = () if result.content is UNSET else enter_content(result.content, "content")
    if isinstance(expected, str):
        expected = (TextPart(text=expected),)
    assert tuple(parts) == (expected if isinstance(expected, tuple) else (JsonPart(data=expected),))


@pytest.mark.promise("OBS-04")
def test_one_text_part_becomes_a_string() -> None:
    assert _observed(status="success", content="file text").message.content == "file text"
    assert _observed(status="success", content=(TextPart(text="file text"),)).message.content == "file text"


@pytest.mark.parametrize("status", ["failed", "cancelled", "timeout", "unknown"])
@pytest.mark.promise("OBS-06")
def test_a_failure_alone_is_a_summary_and_never_a_success(status: Any) -> None:
    observation = _observed(status=status, error=InteractionError(code="NOT_FOUND", message="No matching record"))
    assert observation.status == status
    assert observation.message.content == f"{status}: NOT_FOUND: No matching record"


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (None, (JsonPart(data=None),)),
        ([], (JsonPart(data=[]),)),
        ([1], (JsonPart(data=[1]),)),
        (PART, (JsonPart(data=PART),)),
        ([PART, {"type": "odd"}], (JsonPart(data=[PART, {"type": "odd"}]),)),
        ([{"type": "json", "data": 1}], (JsonPart(data=1),)),
    ],
)
@pytest.mark.promise("OBS-05", "D-VAL-09")
def test_other_content_becomes_parts_and_unknown_parts_are_never_spliced_in(content: Any, parts: Any) -> None:
    assert _observed(status="success", content=content).message.content == parts


@pytest.mark.promise("OBS-07")
def test_text_stays_text() -> None:
    assert _observed(status="success", content="a,b\n1,2\n").message.content == "a,b\n1,2\n"


def test_a_success_with_an_empty_list_of_references_is_an_empty_message() -> None:
    assert _observed(status="success", references=()).message.content == []


@given(st.sampled_from(sorted(NOT_JSON)), st.sampled_from(["content", "structured_content", "metadata"]))
@pytest.mark.case("JSON-08")
def test_what_is_no_json_is_refused(kind: str, field: str) -> None:
    result = ExternalResult(call_id="1", source="a", status="success", content="a")
    bad: Any = (JsonPart(data=NOT_JSON[kind]),) if field == "content" else {"x": NOT_JSON[kind]}
    with pytest.raises(InvalidValue):
        observe(ObserveInput(result=attrs.evolve(result, **{field: bad})))


def test_references_come_last() -> None:
    reference = Reference(uri="u")
    observation = _observed(status="success", content="a", structured_content={"b": 1}, references=(reference,))
    assert observation.message.content == (
        TextPart(text="a"),
        JsonPart(data={"b": 1}),
        ReferencePart(reference=reference),
    )
