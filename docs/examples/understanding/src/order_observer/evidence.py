"""What a result proves, found out from the result alone: the oracle that a model's decision is held against."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

import attrs

from ditto_core import ExternalResult, JsonObject, JsonValue, Unset

from .request import Request

RemoteState: TypeAlias = Literal["completed", "failed", "unknown"]
"""What is known of the order at the service. A failed or a lost answer proves nothing about it."""
ErrorKind: TypeAlias = Literal[
    "none",
    "transient",
    "permission",
    "not_found",
    "timeout",
    "transport",
    "invalid_output",
    "business",
    "cancelled",
]
"""Why a result is not a completed order."""
NextAction: TypeAlias = Literal["complete", "retry", "reconcile", "escalate", "stop"]
"""What has to be done about it."""

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest number in a result: what every JSON reader reads as it was written."""

_CSV: Final = re.compile(
    r"orderId,quantity,unitCents,status\n([A-Za-z0-9_-]+),([0-9]{1,16}),([0-9]{1,16}),(completed|failed)\n"
)
_KINDS: Final[dict[str, ErrorKind]] = {
    "HTTP_503": "transient",
    "HTTP_403": "permission",
    "HTTP_404": "not_found",
    "REQUEST_TIMEOUT": "timeout",
    "CONNECTION_LOST": "transport",
    "NOT_CONNECTED": "transport",
    "REMOTE_CANCELLED": "cancelled",
}
_FIRST_ANSWERS: Final[dict[ErrorKind, NextAction]] = {
    "transient": "retry",
    "timeout": "reconcile",
    "transport": "reconcile",
    "cancelled": "stop",
}


@attrs.frozen(kw_only=True)
class Facts:
    """All of a decision that the evidence settles. ``total_cents`` is None unless the order is completed."""

    call_id: str
    order_id: str
    total_cents: int | None = None
    remote_state: RemoteState = "unknown"
    error_kind: ErrorKind = "invalid_output"
    next_action: NextAction = "escalate"


def facts(result: ExternalResult, request: Request, round: int) -> Facts:
    """Return what the result of a round (0 or 1) proves about the order of the request."""
    unproved = Facts(call_id=result.call_id, order_id=request.order_id)
    if result.status != "success":
        kind = _KINDS.get(result.error.code, "invalid_output") if result.error else "invalid_output"
        return attrs.evolve(unproved, error_kind=kind, next_action=_after_failure(kind, round))
    order = _order(result.content, result.structured_content)
    if order.get("orderId") != request.order_id:
        return unproved
    if order.get("status") == "failed":
        return attrs.evolve(unproved, remote_state="failed", error_kind="business")
    total = _total(order.get("quantity"), order.get("unitCents"))
    if order.get("status") != "completed" or total is None:
        return unproved
    return attrs.evolve(
        unproved, total_cents=total, remote_state="completed", error_kind="none", next_action="complete"
    )


def _after_failure(kind: ErrorKind, round: int) -> NextAction:
    if kind == "cancelled":
        return "stop"
    return _FIRST_ANSWERS.get(kind, "escalate") if round == 0 else "escalate"


def _order(content: object, structured: JsonValue | Unset) -> JsonObject:
    """Return the fields that the service gave: of its JSON, or else of the one row of its CSV."""
    if not isinstance(structured, Unset):
        return structured if type(structured) is dict else {}
    found = _CSV.fullmatch(content) if type(content) is str else None
    if found is None:
        return {}
    order, quantity, unit_cents, status = found.groups()
    return {"orderId": order, "quantity": int(quantity), "unitCents": int(unit_cents), "status": status}


def _total(quantity: JsonValue, unit_cents: JsonValue) -> int | None:
    if type(quantity) is not int or type(unit_cents) is not int:
        return None  # True is no number here, and 3.0 no count
    total = quantity * unit_cents
    fits = quantity >= 1 and unit_cents >= 1 and max(quantity, unit_cents, total) <= MAX_SAFE_INTEGER
    return total if fits else None
