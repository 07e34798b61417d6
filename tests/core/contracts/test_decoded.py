"""Text that was decoded from somebody's JSON: lone surrogates are mended, everything else is refused as everywhere."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, JsonPart, TextPart
from ditto_core.contracts.decoded import (
    enter_decoded,
    enter_decoded_content,
    enter_decoded_text,
    replace_surrogates,
)
from ditto_core.contracts.json_values import check_json
from tests.support.strategies import NOT_JSON, contents, json_values

any_text = st.text(st.characters(), max_size=8)
decoded: st.SearchStrategy[Any] = st.recursive(
    any_text | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=10,
)


@given(any_text)
@pytest.mark.promise("D-MCP-10")
def test_each_lone_surrogate_becomes_one_replacement_and_all_else_stays(text: str) -> None:
    mended = replace_surrogates(text)
    mended.encode()
    if max(text, default="") >= "\ud800" and any("\ud800" <= one <= "\udfff" for one in text):
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        assert mended == "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in joined)
    else:
        assert mended is text


@given(decoded)
@pytest.mark.promise("D-MCP-10")
def test_a_decoded_value_is_json_afterwards_unless_two_members_would_become_one(value: Any) -> None:
    before = copy.deepcopy(value)
    try:
        mended = enter_decoded(value, "x")
    except InvalidValue:
        assert _would_merge(value)
        return
    finally:
        assert value == before
    check_json(mended)
    assert not _would_merge(value)
    if json.dumps(value).isascii() and "\\ud" not in json.dumps(value):
        assert mended is value


def _would_merge(value: Any) -> bool:
    if isinstance(value, dict):
        keys = {replace_surrogates(key) for key in value}
        return len(keys) != len(value) or any(map(_would_merge, value.values()))
    return isinstance(value, list) and any(map(_would_merge, value))


@given(json_values)
def test_good_json_is_itself(value: Any) -> None:
    assert enter_decoded(value, "x") is value


@given(contents)
def test_good_content_is_what_every_entrance_makes_of_it(content: Any) -> None:
    enter_decoded_content(content, "content")


def test_two_members_that_would_become_one_are_refused() -> None:
    with pytest.raises(InvalidValue, match="lone surrogate"):
        enter_decoded({chr(0xD800): 1, chr(0xD801): 2}, "x")
    assert enter_decoded({"\ud800": 1, "b": 2}, "x") == {"\ufffd": 1, "b": 2}


def test_content_is_mended_in_each_of_its_forms() -> None:
    assert enter_decoded_content("\ud800", "content") == "\ufffd"
    assert enter_decoded_content({"a": "\ud800"}, "content") == {"a": "\ufffd"}
    assert enter_decoded_content((TextPart(text="a"), JsonPart(data=["\ud800"])), "content") == (
        TextPart(text="a"),
        JsonPart(data=["\ufffd"]),
    )
    assert enter_decoded_content([{"type": "text", "text": "\ud800"}], "content") == (TextPart(text="\ufffd"),)


@pytest.mark.parametrize("bad", [name for name in NOT_JSON if "surrogate" not in name])
def test_whatever_else_is_no_json_is_refused_in_time(bad: str) -> None:
    begun = time.process_time()
    with pytest.raises(InvalidValue):
        enter_decoded({"x": ["\ud800", NOT_JSON[bad]]}, "x")
    assert time.process_time() - begun < 1


def test_a_value_that_is_small_and_would_be_huge_is_refused_in_time() -> None:
    value: Any = ["\ud800"]
    for _ in range(60):
        value = [value, value]
    begun = time.process_time()
    with pytest.raises(InvalidValue):
        enter_decoded(value, "x")
    assert time.process_time() - begun < 5  # a million values are counted, and not two to the sixtieth


@pytest.mark.parametrize("value", [None, 5, b"a", ["a"]], ids=repr)
def test_a_text_is_a_string(value: Any) -> None:
    with pytest.raises(InvalidValue, match="must be a string"):
        enter_decoded_text(value, "x")
