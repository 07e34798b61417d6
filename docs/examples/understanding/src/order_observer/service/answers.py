"""What the service answers, and in which order it decides that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import attrs

from ..request import Request
from .orders import Order, Orders


@attrs.frozen(kw_only=True)
class Answer:
    """An answer as it goes out.

    ``held``: only after the service's delay. ``lost``: the connection is closed before any of it, or, with a body,
    in the middle of it.
    """

    status: int = 200
    headers: Mapping[str, str] = attrs.field(factory=dict)
    body: bytes = b""
    held: bool = False
    lost: bool = False


_REFUSED: Final = {"denied": 403, "not-found": 404, "cancelled": 409, "transient": 503, "persistent-transient": 503}


@attrs.frozen
class Answers:
    """Decides for one request and does what it asks for; knows nothing of sockets."""

    request: Request
    orders: Orders

    def answer(self, method: str, path: str, order_id: str, headers: Mapping[str, str]) -> Answer:
        """Return the answer to a request, which is logged unless it is about the order of somebody else."""
        if order_id != self.request.order_id or headers.get("x-tenant") != self.request.tenant:
            return Answer(status=404)
        self.orders.log(method, path)
        if (method, path) == ("POST", "/retry"):
            return self._retried(headers.get("idempotency-key", ""))
        if method != "GET" or path not in ("/status", "/result"):
            return Answer(status=404)
        order = self.orders.order()
        if path == "/status":
            return self._json(order) if order.status == "completed" else Answer(status=503)
        if order.retries or order.fault_used:
            return self._success(order)
        return self._result(order)

    def _retried(self, key: str) -> Answer:
        if key != f"{self.request.id}:retry":
            return Answer(status=403)
        self.orders.retry()
        if self.request.scenario == "persistent-transient":
            return Answer(status=503)  # and yet it was done
        return self._json(self.orders.order())

    def _result(self, order: Order) -> Answer:
        match self.request.scenario:
            case "denied" | "not-found" | "cancelled" | "transient" | "persistent-transient" as scenario:
                return Answer(status=_REFUSED[scenario])
            case "timeout":
                self.orders.complete_unseen()
                return attrs.evolve(self._success(order), held=True)
            case "disconnect":
                self.orders.complete_unseen()
                return Answer(lost=True)
            case "malformed":
                return Answer(body=b"The order went through, more or less.\n")
            case "business-failure":
                return _json({"orderId": self.request.order_id, "status": "failed", "error": "out of stock"})
            case "success":
                return self._success(order)

    def _success(self, order: Order) -> Answer:
        if self.request.mode != "normalize":
            return self._json(order)
        row = f"{self.request.order_id},{order.quantity},{order.unit_cents},completed"
        text = f"orderId,quantity,unitCents,status\n{row}\n"
        return Answer(headers={"Content-Type": "text/csv"}, body=text.encode())

    def _json(self, order: Order) -> Answer:
        return _json(
            {
                "orderId": self.request.order_id,
                "quantity": order.quantity,
                "unitCents": order.unit_cents,
                "status": "completed",
            }
        )


def _json(value: object) -> Answer:
    return Answer(headers={"Content-Type": "application/json"}, body=json.dumps(value).encode())
