"""A rule for the model server that hands each request on to a live model, which the environment names."""

from __future__ import annotations

import os

import httpx

from tests.support.model_server import Body, Reply

PATIENCE = 120.0


def handed_on(request: Body) -> Reply:
    """Ask the live model under its own name and with its own key, and pass its answer on as it is."""
    endpoint = os.environ["ORDER_OBSERVER_ENDPOINT"].rstrip("/")
    key = os.environ.get("ORDER_OBSERVER_API_KEY")
    body = {**request, "model": os.environ["ORDER_OBSERVER_MODEL"]}
    if os.environ.get("ORDER_OBSERVER_SCHEMA") == "no":
        body.pop("response_format", None)
    answer = httpx.post(
        f"{endpoint}/chat/completions",
        json=body,
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=PATIENCE,
    )
    return Reply(status=answer.status_code, headers={"Content-Type": "application/json"}, pieces=[answer.content])
