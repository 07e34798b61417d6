"""A call that cannot be made has an id, a name, a reason, and a result that keeps them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from ditto_core import ExternalResult, InvalidValue, ObserveInput, observe, safe_message
from ditto_formats import BadCall
from tests.support.strategies import names, texts


@pytest.mark.promise("D-MCP-09")
def test_its_result_is_a_failure_with_the_reason() -> None:
    result = BadCall(id="call_1", name="read", reason="The arguments are empty.").result()
    assert (result.call_id, result.source, result.status) == ("call_1", "read", "failed")
    assert result.error
    assert (result.error.code, result.error.message, result.error.retryable) == (
        "INVALID_TOOL_CALL",
        "The arguments are empty.",
        False,
    )
    assert observe(ObserveInput(result=result)).message.content == (
        "failed: INVALID_TOOL_CALL: The arguments are empty."
    )


@pytest.mark.parametrize("reason", ["No such file: /home/ann/x", "Authorization: Bearer abc", "a\nb", "x" * 513])
def test_a_reason_that_no_error_may_hold_is_replaced(reason: str) -> None:
    error = BadCall(id="c", name="", reason=reason).result().error
    assert error
    assert error.message == "The call cannot be made."


@given(id=names, name=texts, reason=names)
def test_any_has_a_result_under_its_id(id: str, name: str, reason: str) -> None:
    result = BadCall(id=id, name=name, reason=reason).result()
    assert type(result) is ExternalResult
    assert result.call_id == id
    assert result.source == (name or "unnamed")
    assert result.error
    assert result.error.message == safe_message(reason, "The call cannot be made.")


@pytest.mark.parametrize("field", ["id", "name", "reason"])
@pytest.mark.parametrize("value", [None, 5, b"a", "\ud800", ["a"]])
def test_what_is_no_text_is_refused_by_its_field(field: str, value: Any) -> None:
    with pytest.raises(InvalidValue, match=rf"^BadCall\.{field}: "):
        BadCall(**{"id": "c", "name": "n", "reason": "r", field: value})


def test_only_the_name_may_be_empty() -> None:
    assert BadCall(id="c", name="", reason="r")
    for field in ("id", "reason"):
        with pytest.raises(InvalidValue, match="must not be empty"):
            BadCall(**{"id": "c", "name": "n", "reason": "r", field: ""})
