"""What a result proves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import ExternalResult, ObserveInput, ToolCall, observe
from ditto_formats import openai_chat
from order_observer import facts, validate_decision
from tests.examples.order_observer.values import REQUEST, csvs, failure, order, result, results
from tests.support.order_model import decision

CSV = "orderId,quantity,unitCents,status\nORD-1,3,249,completed\n"
UNPROVED = (None, "unknown", "invalid_output", "escalate")


def proved(result: ExternalResult, round: int = 0) -> tuple[Any, ...]:
    found = facts(result, REQUEST, round)
    assert (found.call_id, found.order_id) == (result.call_id, "ORD-1")
    return found.total_cents, found.remote_state, found.error_kind, found.next_action


@pytest.mark.promise("UND-14")
def test_csv_and_json_prove_the_same() -> None:
    expected = (747, "completed", "none", "complete")
    assert proved(result("", order())) == proved(result(CSV)) == expected
    assert proved(result(CSV), 1) == expected


@pytest.mark.promise("UND-16")
def test_an_order_that_failed_is_no_failure_of_the_call() -> None:
    failed = (None, "failed", "business", "escalate")
    assert proved(result("", {"orderId": "ORD-1", "status": "failed"})) == failed
    assert proved(result(CSV.replace("completed", "failed"))) == failed


@pytest.mark.promise("UND-14")
@pytest.mark.parametrize(
    "fields",
    [
        {"orderId": "ORD-2"},
        {"orderId": ...},
        {"quantity": ...},
        {"unitCents": ...},
        {"status": ...},
        {"status": "pending"},
        {"quantity": 1.5},
        {"quantity": 3.0},
        {"quantity": True},
        {"quantity": "3"},
        {"quantity": 0},
        {"unitCents": -1},
        {"quantity": 2**53, "unitCents": 1},
        {"quantity": 2**27, "unitCents": 2**27},
    ],
)
def test_whatever_is_not_exactly_an_order_proves_nothing(fields: dict[str, Any]) -> None:
    assert proved(result("", order(**fields))) == UNPROVED


@pytest.mark.parametrize(
    "content",
    [
        CSV.replace("\n", "\r\n"),
        CSV[:-1],
        CSV + "\n",
        "\ufeff" + CSV,
        CSV + "ORD-1,3,249,completed\n",
        CSV.replace("249", "٢٤٩"),
        CSV.replace("3", "3.0"),
        CSV.replace("completed", "Completed"),
        CSV.replace(",249", ', "249"'),
        "The order went through.",
        ["a list"],
        None,
    ],
)
def test_csv_has_one_form(content: Any) -> None:
    assert proved(result(content)) == UNPROVED


def test_structured_content_goes_before_the_text() -> None:
    assert proved(result(CSV, [1])) == UNPROVED
    assert proved(result(CSV, None)) == UNPROVED


@pytest.mark.promise("UND-17", "UND-18", "UND-19")
@pytest.mark.parametrize(
    ("code", "status", "kind", "first"),
    [
        ("HTTP_503", "failed", "transient", "retry"),
        ("HTTP_403", "failed", "permission", "escalate"),
        ("HTTP_404", "failed", "not_found", "escalate"),
        ("REQUEST_TIMEOUT", "timeout", "timeout", "reconcile"),
        ("CONNECTION_LOST", "unknown", "transport", "reconcile"),
        ("NOT_CONNECTED", "failed", "transport", "reconcile"),
        ("REMOTE_CANCELLED", "cancelled", "cancelled", "stop"),
        ("HTTP_500", "failed", "invalid_output", "escalate"),
    ],
)
def test_a_failure_leaves_the_order_unknown_and_has_one_follow_up(
    code: str, status: str, kind: str, first: str
) -> None:
    assert proved(failure(code, status)) == (None, "unknown", kind, first)
    second = "stop" if first == "stop" else "escalate"
    assert proved(failure(code, status), 1) == (None, "unknown", kind, second)


@given(results, st.sampled_from([0, 1]))
@pytest.mark.promise("UND-14")
def test_a_reader_that_shares_no_code_comes_to_the_same_facts(result: ExternalResult, round: int) -> None:
    call = ToolCall(id=result.call_id, name=result.source, arguments={})
    answer = openai_chat.message(call, observe(ObserveInput(result=result)))
    task = {"round": round, "goal": {"orderId": "ORD-1"}}
    read = decision({"messages": [{"role": "user", "content": json.dumps(task)}, answer]})
    assert validate_decision(read, result, REQUEST, round).reason == read["reason"]


@given(csvs)
def test_no_csv_raises(content: str) -> None:
    facts(result(content), REQUEST, 0)
