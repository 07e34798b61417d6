"""The JSON form of the contracts, both ways."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
import pathlib
from collections.abc import Sequence
from typing import Any, Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    ExternalResult,
    InvalidValue,
    JsonObject,
    JsonPart,
    JsonValue,
    Message,
    Observation,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    Reference,
    TextPart,
    ToolCall,
    ToolInput,
    Unset,
    from_wire,
    observe,
    to_wire,
)
from ditto_core.contracts.content import enter_content
from tests.support.strategies import NOT_JSON, calls, contents, messages, receipts, requests, results


@given(st.one_of(calls, results, requests, receipts, messages))
@pytest.mark.promise("VAL-07", "D-VAL-15")
def test_a_round_trip_gives_an_equal_object_once_content_is_in_its_normal_form(value: Any) -> None:
    wire = json.loads(json.dumps(to_wire(value), allow_nan=False))
    back = from_wire(type(value), wire)
    assert back == _normal(value)
    assert to_wire(back) == wire
    assert from_wire(type(value), to_wire(back)) == back


def _normal(value: Any) -> Any:
    if isinstance(value, ExternalResult) and value.content is not UNSET:
        return attrs.evolve(value, content=enter_content(value.content, ""))
    if isinstance(value, Message):
        return attrs.evolve(value, content=enter_content(value.content, ""))
    if isinstance(value, OutputRequest):
        return attrs.evolve(value, message=_normal(value.message))
    return value


@given(results)
@pytest.mark.promise("VAL-07")
def test_an_observation_survives_the_wire(result: ExternalResult) -> None:
    observation = observe(ObserveInput(result=result))
    assert from_wire(Observation, to_wire(observation)) == observation


@pytest.mark.promise("VAL-07")
def test_field_names_are_those_of_the_specification_and_absent_fields_are_left_out() -> None:
    result = ExternalResult(
        call_id="1",
        source="a",
        status="success",
        structured_content=None,
        references=(Reference(uri="u", media_type="m"),),
    )
    assert to_wire(result) == {
        "callId": "1",
        "source": "a",
        "status": "success",
        "structuredContent": None,
        "references": [{"uri": "u", "mediaType": "m"}],
    }
    assert to_wire(OutputReceipt(delivery_id="d", status="accepted")) == {"deliveryId": "d", "status": "accepted"}


PART = {"type": "text", "text": "a"}


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ([PART], True),
        ([PART, {"type": "json", "data": None}], True),
        ([{"type": "reference", "reference": {"uri": "u"}}], True),
        ([TextPart(text="a")], True),
        ([], False),
        ([PART, 1], False),
        ([{**PART, "more": 1}], False),
        ([{"type": "text"}], False),
        ([{"type": "text", "text": 1}], False),
        ([{"type": "image", "data": "a"}], False),
        ([{"type": ["text"], "text": "a"}], False),
        ([{"type": "reference", "reference": {"uri": ""}}], False),
        ([{"type": "reference", "reference": {"uri": "u", "title": "t"}}], False),
        (PART, False),
    ],
)
@pytest.mark.promise("VAL-06", "D-VAL-09")
def test_only_a_nonempty_list_of_exactly_parts_is_parts(content: Any, parts: bool) -> None:
    entered = enter_content(content, "content")
    assert isinstance(entered, tuple) == parts
    assert parts or entered is content


@given(contents)
def test_the_normal_form_is_reached_at_once(content: Any) -> None:
    entered = enter_content(content, "content")
    assert enter_content(entered, "content") == entered


@pytest.mark.parametrize(
    ("kind", "data", "field"),
    [
        (ToolInput, [], "ToolInput"),
        (ToolInput, {}, "ToolInput.call"),
        (ToolInput, {"call": None}, "ToolInput.call"),
        (ToolInput, {"call": {"id": "1", "name": "a"}}, "ToolInput.call.arguments"),
        (ToolInput, {"call": {"id": 1, "name": "a", "arguments": {}}}, "ToolInput.call.id"),
        (ToolInput, {"call": {"id": "", "name": "a", "arguments": {}}}, "ToolInput.call.id"),
        (ToolInput, {"call": {"id": "1", "name": "a", "arguments": "{}"}}, "ToolInput.call.arguments"),
        (ToolInput, {"call": {"id": "1", "name": "a", "arguments": {"x": [b""]}}}, "ToolInput.call.arguments.x[0]"),
        (ToolInput, {"call": {"id": "1", "name": "a", "arguments": {}, "extra": 1}}, "ToolInput.call"),
        (ToolInput, {"call": {"id": "1", "name": "a", "arguments": {}}, 5: 1}, "ToolInput"),
        (OutputRequest, {"deliveryId": "d", "message": {"role": "user"}}, "OutputRequest.message.content"),
        (OutputRequest, {"deliveryId": "d", "message": {"role": "x", "content": ""}}, "OutputRequest.message.role"),
        (OutputRequest, {"delivery_id": "d", "message": {"role": "user", "content": 1}}, "OutputRequest.deliveryId"),
        (
            OutputRequest,
            {"deliveryId": "d", "message": {"role": "user", "content": 1}, "artifacts": {}},
            "OutputRequest.artifacts",
        ),
        (
            OutputRequest,
            {
                "deliveryId": "d",
                "message": {"role": "user", "content": 1},
                "artifacts": [{"name": "a", "reference": {"uri": "u", "digest": False}}],
            },
            "OutputRequest.artifacts[0].reference.digest",
        ),
    ],
)
@pytest.mark.promise("D-VAL-13", "D-VAL-15")
@pytest.mark.case("TOOL-04")
def test_reading_coerces_nothing_and_names_the_path(kind: type[Any], data: Any, field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        from_wire(kind, data)
    assert caught.value.field == field


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.case("JSON-08")
def test_reading_refuses_what_is_no_json(kind: str) -> None:
    with pytest.raises(InvalidValue):
        from_wire(ToolCall, {"id": "1", "name": "a", "arguments": {"x": NOT_JSON[kind]}})


def test_content_may_be_as_deep_on_the_wire_as_in_python() -> None:
    value: Any = 1
    for _ in range(128):
        value = [value]
    message = Message(role="user", content=(JsonPart(data=value),))
    assert from_wire(Message, to_wire(message)) == message


@attrs.frozen(kw_only=True)
class Order:
    order_id: str
    amounts: tuple[float, ...] = ()
    kind: Literal["a", 1] = "a"
    note: str | None = None
    extra: JsonObject | Unset = UNSET
    anything: JsonValue = None
    by_name: dict[str, int] = attrs.Factory(dict)
    tags: list[str] = attrs.Factory(list)


def test_any_attrs_class_travels_under_the_same_rules() -> None:
    order = Order(order_id="1", amounts=(1, 2.5), kind=1, extra={}, by_name={"a": 1}, tags=["x"])
    wire = to_wire(order)
    assert wire == {
        "orderId": "1",
        "amounts": [1, 2.5],
        "kind": 1,
        "note": None,
        "extra": {},
        "anything": None,
        "byName": {"a": 1},
        "tags": ["x"],
    }
    assert from_wire(Order, wire) == order


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"orderId": None}, "Order.orderId"),
        ({"amounts": "12"}, "Order.amounts"),
        ({"amounts": [1, "2"]}, "Order.amounts[1]"),
        ({"amounts": [True]}, "Order.amounts[0]"),
        ({"kind": True}, "Order.kind"),
        ({"kind": "b"}, "Order.kind"),
        ({"note": 5}, "Order.note"),
        ({"extra": []}, "Order.extra"),
        ({"byName": {"a": 1.0}}, "Order.byName['a']"),
        ({"tags": ["x", "\ud800"]}, "Order.tags[1]"),
    ],
)
def test_the_rules_hold_for_the_fields_of_any_attrs_class(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        from_wire(Order, {"orderId": "1", **change})
    assert caught.value.field == field


def test_what_a_validator_of_somebody_elses_class_says_is_told_with_its_path() -> None:
    @attrs.frozen(kw_only=True)
    class Page:
        number: int = attrs.field(validator=attrs.validators.ge(1))

    with pytest.raises(InvalidValue, match=r"^Page: 'number' must be >= 1: 0$"):
        from_wire(Page, {"number": 0})


@attrs.frozen
class Tree:
    kids: list[Tree]


def _deep_tree(depth: int) -> Any:
    tree: Any = {"kids": []}
    for _ in range(depth):
        tree = {"kids": [tree]}
    return tree


def _cyclic_tree() -> Any:
    tree: Any = {"kids": []}
    tree["kids"].append(tree)
    return tree


@pytest.mark.parametrize("data", [_cyclic_tree(), _deep_tree(20_000)], ids=["cycle", "deep"])
@pytest.mark.case("JSON-03", "JSON-04")
def test_a_class_that_holds_itself_is_no_way_around_the_bounds(data: Any) -> None:
    with pytest.raises(InvalidValue):
        from_wire(Tree, data)
    assert from_wire(Tree, _deep_tree(40)) is not None


class Level(enum.IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (dict[str, int], {1: 2}),
        (dict[str, int], {"a\ud800": 2}),
        (dict[int, int], {"1": 2}),
        (dict, {"a": 1}),
        (list, [1]),
        (Sequence[str], "abc"),
        (frozenset[str], ["a"]),
        (tuple[int, str], [1, "a"]),
        (tuple[()], []),
        (dt.datetime, "2026-01-01"),
        (decimal.Decimal, "1"),
        (pathlib.PurePath, "a"),
        (bytes, "a"),
        (Any, 1),
        (object, 1),
        (Level, True),
        (Level, 1.0),
        (Level, 2),
    ],
    ids=str,
)
@pytest.mark.case("JSON-05", "JSON-08")
def test_a_type_without_a_json_form_is_refused_and_nothing_is_coerced(kind: Any, value: Any) -> None:
    holder = attrs.make_class("Holder", {"field": attrs.field(type=kind)})
    with pytest.raises(InvalidValue, match=r"^Holder"):
        from_wire(holder, {"field": value})


def test_an_enum_is_read_by_its_value() -> None:
    holder = attrs.make_class("Holder", {"field": attrs.field(type=Level)})
    assert from_wire(holder, {"field": 1}).field is Level.LOW  # type: ignore[attr-defined]


def test_a_key_that_is_no_string_is_never_asked_for_its_text() -> None:
    class Key:
        def __str__(self) -> str:
            raise AssertionError

        __repr__ = __str__

    with pytest.raises(InvalidValue, match="a key that is a Key"):
        from_wire(ToolCall, {"id": "1", "name": "a", "arguments": {}, Key(): 1})


def test_two_fields_with_one_wire_name_are_refused() -> None:
    twice = attrs.make_class("Twice", ["a_b", "aB"])
    with pytest.raises(InvalidValue, match="same wire name"):
        from_wire(twice, {"aB": 1})
    with pytest.raises(InvalidValue, match="same wire name"):
        to_wire(twice(1, 2))


@pytest.mark.parametrize(
    "value", [object(), {1}, "text", {"a": 1}, None], ids=["object", "set", "text", "dict", "none"]
)
def test_only_objects_of_attrs_classes_are_written(value: Any) -> None:
    with pytest.raises(InvalidValue, match="takes an object of an attrs class"):
        to_wire(value)
