"""What JSON is: the walk, its bounds and its messages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue
from ditto_core.contracts.json_values import (
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_VALUES,
    check_json,
    check_json_object,
    copy_json,
)
from tests.support.strategies import NOT_JSON, json_values


@given(json_values)
@pytest.mark.promise("VAL-03")
def test_every_json_value_is_accepted_and_can_be_written(value: Any) -> None:
    check_json(value)
    assert json.dumps(value, allow_nan=False).encode()


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.promise("VAL-03", "D-VAL-03")
@pytest.mark.case("JSON-01", "JSON-03", "JSON-04", "JSON-05")
def test_what_is_not_json_is_refused_wherever_it_stands_and_its_path_is_named(kind: str) -> None:
    bad = NOT_JSON[kind]
    if isinstance(bad, list | dict):
        with pytest.raises(InvalidValue):
            check_json(bad, "structuredContent")
        return
    for value, path in ((bad, "it"), ([1, bad], "it[1]"), ({"a": {"b": bad}}, "it.a.b"), ({"a b": bad}, "it['a b']")):
        with pytest.raises(InvalidValue) as caught:
            check_json(value, "it")
        assert caught.value.field == path


@given(value=json_values, kind=st.sampled_from(sorted(set(NOT_JSON) - {"200000 deep", "too many"})), data=st.data())
@pytest.mark.case("JSON-05")
def test_a_bad_value_is_found_anywhere_in_good_json(value: Any, kind: str, data: st.DataObject) -> None:
    spot, whole = _planted(value, NOT_JSON[kind], data)
    if spot:
        with pytest.raises(InvalidValue):
            check_json(whole, "it")


def _planted(value: Any, bad: Any, data: st.DataObject) -> tuple[bool, Any]:
    if isinstance(value, list):
        index = data.draw(st.integers(0, len(value)))
        return True, [*value[:index], bad, *value[index:]]
    if isinstance(value, dict):
        return True, {**value, "bad": bad}
    return True, [value, bad]


@pytest.mark.promise("D-VAL-04", "D-VAL-05", "D-VAL-06")
def test_the_bounds_are_exact() -> None:
    deepest: Any = []
    for _ in range(MAX_DEPTH - 1):
        deepest = [deepest]
    check_json(deepest)
    with pytest.raises(InvalidValue, match="nested more than 128 deep"):
        check_json([deepest])
    check_json([0] * MAX_VALUES)
    with pytest.raises(InvalidValue, match="more than 1,000,000 values"):
        check_json([0] * (MAX_VALUES + 1))
    check_json([MAX_INTEGER, -MAX_INTEGER])
    for number in (MAX_INTEGER + 1, -MAX_INTEGER - 1):
        with pytest.raises(InvalidValue, match="more than 4300 digits"):
            check_json([number])


@pytest.mark.promise("D-VAL-05")
@pytest.mark.case("JSON-04")
def test_a_list_used_twice_is_no_cycle_and_counts_twice() -> None:
    shared = [1, 2]
    check_json([shared, shared])
    doubled: Any = [0]
    for _ in range(100):  # 2 ** 100 values as they would be written
        doubled = [doubled, doubled]
    with pytest.raises(InvalidValue, match="more than 1,000,000 values"):
        check_json(doubled)


@pytest.mark.parametrize("depth", [100, 128])
@pytest.mark.case("JSON-03")
def test_accepted_depth_can_be_written_and_copied(depth: int) -> None:
    value: Any = "x"
    for _ in range(depth):
        value = {"a": value}
    check_json(value)
    assert json.loads(json.dumps(copy_json(value))) == value


@pytest.mark.parametrize("depth", [129, 900, 2_000, 20_000, 200_000])
@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}], ids=["list", "dict"])
@pytest.mark.promise("D-VAL-04")
@pytest.mark.case("JSON-03")
def test_too_deep_is_an_ordinary_refusal(depth: int, wrap: Any) -> None:
    value: Any = 1
    for _ in range(depth):
        value = wrap(value)
    with pytest.raises(InvalidValue, match="nested more than 128 deep"):
        check_json(value, "content")
    while isinstance(value, list | dict):  # taken apart by hand: freeing it at once would recurse in C
        value = value[0] if isinstance(value, list) else value["a"]


@given(json_values)
def test_a_copy_is_equal_and_shares_no_container(value: Any) -> None:
    copied = copy_json(value)
    assert copied == value
    assert not _containers(copied) & _containers(value)


def _containers(value: Any) -> set[int]:
    if isinstance(value, list):
        return {id(value)}.union(*map(_containers, value))
    if isinstance(value, dict):
        return {id(value)}.union(*map(_containers, value.values()))
    return set()


def test_a_message_names_path_fact_and_remedy_but_no_repr() -> None:
    class Secretive:
        def __repr__(self) -> str:
            return "key=sk-123456789"

    with pytest.raises(InvalidValue) as caught:
        check_json({"rows": [Secretive()]}, "structuredContent")
    assert str(caught.value).startswith("structuredContent.rows[0]: is a Secretive, which is not JSON; convert it")
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("value", [None, 1, "a", [], True])
def test_an_object_is_asked_for_where_one_is_needed(value: object) -> None:
    with pytest.raises(InvalidValue, match="must be a JSON object"):
        check_json_object(value, "arguments")
