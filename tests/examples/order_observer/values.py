"""Values that the tests of the application share, and strategies for results."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from ditto_core import ExternalResult, InteractionError
from order_observer import Request

REQUEST = Request(
    id="task-1", tenant="team-a", mode="read", scenario="success", order_id="ORD-1", origin="http://127.0.0.1:8080"
)


def result(content: Any, structured: Any = ..., **more: Any) -> ExternalResult:
    """Give a success with a content, and with structured content if there is any."""
    if structured is not ...:
        more["structured_content"] = structured
    return ExternalResult(call_id="task-1:round-0", source="result_read", status="success", content=content, **more)


def failure(code: str, status: Any = "failed") -> ExternalResult:
    """Give a failure with a code."""
    error = InteractionError(code=code, message="It did not work.")
    return ExternalResult(call_id="task-1:round-0", source="result_read", status=status, error=error)


def order(**fields: Any) -> dict[str, Any]:
    """Give an order of the request, completed, with other fields in place of its own; ``...`` leaves one out."""
    whole = {"orderId": "ORD-1", "quantity": 3, "unitCents": 249, "status": "completed", **fields}
    return {name: value for name, value in whole.items() if value is not ...}


CODES = (
    "HTTP_503",
    "HTTP_403",
    "HTTP_404",
    "HTTP_500",
    "HTTP_302",
    "REQUEST_TIMEOUT",
    "CONNECTION_LOST",
    "NOT_CONNECTED",
    "REMOTE_CANCELLED",
    "BODY_TOO_LARGE",
    "BODY_NOT_TEXT",
)
counts = st.one_of(
    st.integers(-2, 9),
    st.sampled_from([2**53 - 1, 2**53, 2**27, True, 3.0, 1.5, "3", None, [3]]),
    st.integers(1, 2**54),
)
orders = st.fixed_dictionaries(
    {},
    optional={
        "orderId": st.sampled_from(["ORD-1", "ORD-2", "ord-1", "", 1, None]),
        "quantity": counts,
        "unitCents": counts,
        "status": st.sampled_from(["completed", "failed", "pending", "Completed", "", True, None]),
        "note": st.text(max_size=20),
    },
)
cells = st.one_of(
    st.sampled_from(["ORD-1", "ORD-2", "3", "249", "completed", "failed", "", "03", "٣", " 3", "1e3", "+3", "-3"]),
    st.integers(0, 10**18).map(str),
)
rows = st.one_of(
    st.lists(cells, min_size=3, max_size=5).map(",".join),
    st.tuples(st.just("ORD-1"), cells, cells, st.sampled_from(["completed", "failed"])).map(",".join),
)
ends = st.sampled_from(["\n", "\r\n", ""])
csvs = st.builds(
    lambda rows, end: end.join(["orderId,quantity,unitCents,status", *rows, ""]),
    st.one_of(rows.map(lambda row: [row]), st.lists(rows, max_size=2)),
    ends,
)
results = st.one_of(
    st.sampled_from(CODES).map(failure),
    orders.map(lambda order: result(json.dumps(order), order)),
    st.lists(orders, max_size=2).map(lambda orders: result(json.dumps(orders), orders)),
    csvs.map(result),
    st.text(max_size=40).map(result),
)
