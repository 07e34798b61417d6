"""Whatever a line of a server says, it is messages or noise, and never an exception in the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp.types import JSONRPCError

from ditto_mcp.routes.lines import Line
from ditto_mcp.routes.messages import LOST, messages_of

IDS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.integers(1, 5_000).map(lambda digits: "9" * digits)
    | st.lists(st.none(), max_size=1)
)
PARTS: st.SearchStrategy[Any] = st.sampled_from(
    [None, {}, [], {"content": []}, {"code": "none", "message": 5}, "text"]
)
ANSWERS = st.fixed_dictionaries({"id": IDS}, optional={"jsonrpc": st.just("2.0"), "result": PARTS, "error": PARTS})


@given(ANSWERS | st.lists(ANSWERS, max_size=3) | IDS)
@example({"id": "9" * 5_000})
@example({"id": 1e308})
def test_any_json_is_messages_or_noise(value: Any) -> None:
    for message in messages_of(Line(json.dumps(value).encode())):
        assert message.jsonrpc == "2.0"


@given(st.binary(max_size=60), st.none() | st.binary(max_size=60))
def test_any_bytes_are_messages_or_noise(data: bytes, rest: bytes | None) -> None:
    list(messages_of(Line(data, rest)))


@pytest.mark.parametrize("number", [7, 7.0, "7"])
def test_the_request_that_an_unreadable_answer_belongs_to_is_told(number: object) -> None:
    (message,) = messages_of(Line(json.dumps({"id": number, "result": 5}).encode()))
    assert isinstance(message, JSONRPCError)
    assert (message.id, message.error.data) == (7, LOST)
