"""The contract classes: shapes, scalars, names, statuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import given

from ditto_core import (
    UNSET,
    Artifact,
    ExternalResult,
    InteractionError,
    InvalidValue,
    JsonPart,
    Message,
    Observation,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    Reference,
    ReferencePart,
    TextPart,
    ToolCall,
    ToolInput,
    ToolOutcome,
    Unset,
)
from tests.support.strategies import results

CONTRACTS: list[type[Any]] = [
    Artifact,
    ExternalResult,
    InteractionError,
    JsonPart,
    Message,
    Observation,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    Reference,
    ReferencePart,
    TextPart,
    ToolCall,
    ToolInput,
    ToolOutcome,
]
ERROR = InteractionError(code="NOT_FOUND", message="No matching record")
MESSAGE = Message(role="tool", content="a")
STATUSES = ("success", "failed", "cancelled", "timeout", "unknown")


@pytest.mark.parametrize("kind", CONTRACTS)
@pytest.mark.promise("D-VAL-12")
def test_contracts_are_frozen_keyword_only_comparable_and_not_hashable(kind: type[Any]) -> None:
    assert all(field.kw_only for field in attrs.fields(kind))
    assert kind.__hash__ is None
    assert kind.__eq__ is not object.__eq__
    assert kind.__setattr__ is not object.__setattr__


@given(results)
def test_a_contract_cannot_be_changed(result: ExternalResult) -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        result.status = "failed"  # type: ignore[misc]


@pytest.mark.promise("D-VAL-01")
def test_unset_is_the_only_member_falsy_and_shows_itself() -> None:
    assert list(Unset) == [UNSET]
    assert not UNSET
    assert repr(UNSET) == "UNSET"


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.promise("VAL-01", "VAL-02")
def test_success_needs_something_present_and_everything_else_an_error(status: Any) -> None:
    nothing: dict[str, Any] = {"call_id": "1", "source": "a", "status": status}
    if status == "success":
        with pytest.raises(InvalidValue, match="success, which needs content"):
            ExternalResult(**nothing)
        for field, value in (("content", None), ("content", ""), ("structured_content", None), ("references", ())):
            assert ExternalResult(**nothing, **{field: value}).error is UNSET
        assert ExternalResult(**nothing, content="a", error=ERROR).error == ERROR
    else:
        for fields in ({}, {"content": "a"}):
            with pytest.raises(InvalidValue, match=r"ExternalResult\.error: is required"):
                ExternalResult(**nothing, **fields)
        assert ExternalResult(**nothing, error=ERROR).content is UNSET


BAD: dict[str, Callable[[], object]] = {
    "ToolCall.id": lambda: ToolCall(id="", name="a", arguments={}),
    "ToolCall.id ": lambda: ToolCall(id=5, name="a", arguments={}),  # type: ignore[arg-type]
    "ToolCall.name": lambda: ToolCall(id="1", name=None, arguments={}),  # type: ignore[arg-type]
    "ToolCall.arguments": lambda: ToolCall(id="1", name="a", arguments=[]),  # type: ignore[arg-type]
    "ToolCall.arguments ": lambda: ToolCall(id="1", name="a", arguments="{}"),  # type: ignore[arg-type]
    "ToolCall.arguments  ": lambda: ToolCall(id="1", name="a", arguments=None),  # type: ignore[arg-type]
    "ToolCall.id  ": lambda: ToolCall(id="a\ud800", name="a", arguments={}),
    "ToolOutcome.status": lambda: ToolOutcome(status="done", content="a"),  # type: ignore[arg-type]
    "ToolOutcome.status ": lambda: ToolOutcome(status=None, content="a"),  # type: ignore[arg-type]
    "ToolOutcome.references": lambda: ToolOutcome(references=[]),  # type: ignore[arg-type]
    "ToolOutcome.references[1]": lambda: ToolOutcome(references=(Reference(uri="u"), "u")),  # type: ignore[arg-type]
    "ToolOutcome.error": lambda: ToolOutcome(status="failed", error={"code": "A"}),  # type: ignore[arg-type]
    "ToolOutcome.metadata": lambda: ToolOutcome(content="a", metadata=[]),  # type: ignore[arg-type]
    "ToolOutcome.content[0]": lambda: ToolOutcome(content=("a",)),  # type: ignore[arg-type]
    "ExternalResult.callId": lambda: ExternalResult(call_id="", source="a", status="success", content="a"),
    "Reference.uri": lambda: Reference(uri=""),
    "Reference.mediaType": lambda: Reference(uri="u", media_type=1),  # type: ignore[arg-type]
    "Reference.digest": lambda: Reference(uri="u", digest=None),  # type: ignore[arg-type]
    "Message.role": lambda: Message(role="bot", content="a"),  # type: ignore[arg-type]
    "Message.name": lambda: Message(role="user", content="a", name=3),  # type: ignore[arg-type]
    "Message.content[0]": lambda: Message(role="user", content=(1,)),  # type: ignore[arg-type]
    "TextPart.text": lambda: TextPart(text=b"a"),  # type: ignore[arg-type]
    "ReferencePart.reference": lambda: ReferencePart(reference="u"),  # type: ignore[arg-type]
    "Artifact.name": lambda: Artifact(name="", reference=Reference(uri="u")),
    "Artifact.reference": lambda: Artifact(name="a", reference={"uri": "u"}),  # type: ignore[arg-type]
    "OutputRequest.deliveryId": lambda: OutputRequest(delivery_id="", message=MESSAGE),
    "OutputRequest.message": lambda: OutputRequest(delivery_id="1", message="a"),  # type: ignore[arg-type]
    "OutputRequest.artifacts": lambda: OutputRequest(delivery_id="1", message=MESSAGE, artifacts=None),  # type: ignore[arg-type]
    "OutputReceipt.status": lambda: OutputReceipt(delivery_id="1", status="ok"),  # type: ignore[arg-type]
    "OutputReceipt.error": lambda: OutputReceipt(delivery_id="1", status="unknown"),
    "OutputReceipt.error ": lambda: OutputReceipt(delivery_id="1", status="rejected"),
    "OutputReceipt.metadata": lambda: OutputReceipt(delivery_id="1", status="accepted", metadata="a"),  # type: ignore[arg-type]
    "InteractionError.code": lambda: InteractionError(code="A\n", message="a"),
    "InteractionError.message": lambda: InteractionError(code="A", message="a\nb"),
    "InteractionError.message ": lambda: InteractionError(code="A", message=None),  # type: ignore[arg-type]
    "InteractionError.retryable": lambda: InteractionError(code="A", message="a", retryable=1),  # type: ignore[arg-type]
    "ToolInput.call": lambda: ToolInput(call={"id": "1"}),  # type: ignore[arg-type]
    "ObserveInput.result": lambda: ObserveInput(result=None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("field", BAD)
@pytest.mark.promise("VAL-01", "VAL-04", "VAL-05", "VAL-06", "OUT-01", "OUT-03", "OUT-07", "ERR-07", "D-VAL-13")
@pytest.mark.case("TOOL-04", "TOOL-01")
def test_a_constructor_refuses_the_wrong_shape_and_names_the_field(field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        BAD[field]()
    assert caught.value.field == field.strip()


def test_a_subclass_is_no_contract() -> None:
    class Sly(str):
        pass

    with pytest.raises(InvalidValue, match="must be a string, not a Sly"):
        TextPart(text=Sly("a"))


def test_constructors_do_not_walk_json() -> None:
    assert ToolOutcome(content="a", structured_content=object())  # type: ignore[arg-type]


def test_arguments_as_a_string_are_refused_with_the_way_to_parse_them() -> None:
    with pytest.raises(InvalidValue, match=r"^ToolCall\.arguments: must be .*; parse it with json\.loads$"):
        ToolCall(id="c1", name="a", arguments='{"x": 1}')  # type: ignore[arg-type]
