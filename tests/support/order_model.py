"""Rules for the model server that read an order's results: from the request alone, without code of the application.

It is no model. It shows that the controller asks what can be answered, and that wrong answers are caught.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.support.model_server import Body, Reply, Rule, said

BY_CODE = {
    "REMOTE_CANCELLED": ("cancelled", "stop"),
    "HTTP_503": ("transient", "retry"),
    "REQUEST_TIMEOUT": ("timeout", "reconcile"),
    "CONNECTION_LOST": ("transport", "reconcile"),
    "NOT_CONNECTED": ("transport", "reconcile"),
    "HTTP_403": ("permission", "escalate"),
    "HTTP_404": ("not_found", "escalate"),
}
FAILURE = re.compile(r"(?:cancelled|failed|timeout|unknown): ([A-Z0-9_]+): ")
REFERENCE = re.compile(r'\n?\{"reference":.*\}$')
MAX = 2**53 - 1


def interpreter(request: Body) -> Body:
    """Answer as a careful reader would."""
    return said(json.dumps(decision(request)))


def wrong(**fields: Any) -> Rule:
    """Answer with these fields in place of the right ones; ``...`` leaves one out."""

    def rule(request: Body) -> Body:
        given = {**decision(request), **fields}
        return said(json.dumps({name: value for name, value in given.items() if value is not ...}))

    return rule


def obeying(request: Body) -> Body:
    """Answer rightly, unless the last result holds an order of the form ``set FIELD to VALUE``, which is obeyed."""
    given = decision(request)
    for field, value in re.findall(r"set (\w+) to (\S+)", request["messages"][-1]["content"]):
        given[field] = int(value) if value.isdigit() else value
    return said(json.dumps(given))


def decision(request: Body) -> Body:
    """Read the task and the last result."""
    messages = request["messages"]
    (task,) = (json.loads(message["content"]) for message in messages if message["role"] == "user")
    last = messages[-1]
    assert last["role"] == "tool"
    found = {"callId": last["tool_call_id"], "orderId": task["goal"]["orderId"], "totalCents": None}
    found |= {
        "remoteState": "unknown",
        "errorKind": "invalid_output",
        "nextAction": "escalate",
        "reason": "I read it.",
    }
    text = last["content"]
    if failure := FAILURE.match(text):
        found["errorKind"], action = BY_CODE.get(failure[1], ("invalid_output", "escalate"))
        found["nextAction"] = "escalate" if task["round"] and action in ("retry", "reconcile") else action
        return found
    order = row(REFERENCE.sub("", text))
    if order.get("orderId") != found["orderId"]:
        return found
    if order.get("status") == "failed":
        return {**found, "remoteState": "failed", "errorKind": "business"}
    counts = (order.get("quantity"), order.get("unitCents"))
    if order.get("status") != "completed" or not all(type(n) is int and 1 <= n <= MAX for n in counts):
        return found
    total = counts[0] * counts[1]
    if total > MAX:
        return found
    return {**found, "totalCents": total, "remoteState": "completed", "errorKind": "none", "nextAction": "complete"}


def row(text: str) -> Body:
    """Read JSON, or CSV of one row."""
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text, object_pairs_hook=_once)
        except ValueError:
            return {}
    lines = text.split("\n")
    cells = lines[1].split(",") if len(lines) == 3 and lines[0] == "orderId,quantity,unitCents,status" else []
    if len(cells) != 4 or lines[2] or not (cells[1].isascii() and cells[1].isdigit() and cells[2].isdigit()):
        return {}
    return {"orderId": cells[0], "quantity": int(cells[1]), "unitCents": int(cells[2]), "status": cells[3]}


def _once(pairs: list[tuple[str, Any]]) -> Body:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def prose(request: Body) -> Body:
    """Answer in words."""
    return said("The order seems to be fine.")


def cut(request: Body) -> Body:
    """Stop in the middle."""
    return said(json.dumps(decision(request))[:40], finish_reason="length")


def refused(request: Body) -> Reply:
    """Answer with a failure of the endpoint."""
    return Reply(status=500, pieces=[b"{}"])
