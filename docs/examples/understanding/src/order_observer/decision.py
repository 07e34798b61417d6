"""The decision that a model has to give, and the check that lets none pass which the evidence does not bear out."""

from __future__ import annotations

from typing import Final

import attrs

from ditto_core import ExternalResult, JsonObject, JsonValue, describe, quote

from .errors import DecisionRejected
from .evidence import Facts, facts
from .json_text import written
from .request import Request

MAX_REASON: Final = 1_000
"""How many characters the reason of a decision may have."""


@attrs.frozen(kw_only=True)
class Decision(Facts):
    """What a result means and what has to be done: the facts, and the model's reason in words."""

    reason: str


FIELDS: Final = ("callId", "orderId", "totalCents", "remoteState", "errorKind", "nextAction", "reason")
"""Exactly what a decision has."""

SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "callId": {"type": "string"},
        "orderId": {"type": "string"},
        "totalCents": {"type": ["integer", "null"]},
        "remoteState": {"enum": ["completed", "failed", "unknown"]},
        "errorKind": {
            "enum": [
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
        },
        "nextAction": {"enum": ["complete", "retry", "reconcile", "escalate", "stop"]},
        "reason": {"type": "string"},
    },
    "required": list(FIELDS),
    "additionalProperties": False,
}
"""The same for a model's server that holds its model to a schema. What it lets through is validated all the same."""


def validate_decision(value: JsonValue, result: ExternalResult, request: Request, round: int) -> Decision:
    """Return the decision on a result, made of the evidence; from the model comes the reason alone.

    Raises :class:`DecisionRejected` for a field too many or too few, for one that is not exactly what the evidence
    says (``747.0`` is not ``747``), and for a reason that is blank or has more than 1,000 characters.
    """
    if type(value) is not dict:
        raise DecisionRejected("decision", f"must be a JSON object, not {describe(value)}")
    for field in FIELDS:
        if field not in value:
            raise DecisionRejected(field, "is missing")
    for field in value:
        if field not in FIELDS:
            raise DecisionRejected("decision", f"has the field {quote(field)}, which no decision has")
    proved = facts(result, request, round)
    for field, true in written(proved).items():
        if type(value[field]) is not type(true) or value[field] != true:
            raise DecisionRejected(field, "contradicts the evidence")
    reason = value["reason"]
    if type(reason) is not str or not reason.strip() or len(reason) > MAX_REASON:
        raise DecisionRejected("reason", f"must be text of 1-{MAX_REASON:,} characters")
    return Decision(**attrs.asdict(proved), reason=reason)
