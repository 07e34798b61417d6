"""A task with a service to look at: made once in a folder, and found there again under the same address."""

from __future__ import annotations

import json
import random
import uuid
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import attrs

from .errors import InvalidRequest
from .json_text import NotJson, read
from .request import Mode, Request, Scenario
from .service import Order, Orders, OrderService
from .service.answers import Answers
from .service.server import DELAY

USUAL: Final[dict[Mode, Scenario]] = {
    "read": "success",
    "normalize": "success",
    "errors": "transient",
    "state": "success",
    "interpret": "timeout",
}
"""What the service does in each workflow unless it is told otherwise."""


@attrs.frozen(kw_only=True, eq=False)
class Fixture:
    """A request and the service that it is about, which serves until it is closed."""

    request: Request
    service: OrderService
    orders: Orders

    def order(self) -> Order:
        """Return the order as the service has it."""
        return self.orders.order()


def create_fixture(directory: Path, mode: Mode, scenario: Scenario | None = None, *, delay: float = DELAY) -> Fixture:
    """Make a task in an empty folder, with an order of its own, and serve it."""
    service = OrderService(delay=delay)
    try:
        request = Request(
            id=uuid.uuid4().hex,
            tenant="team-a",
            mode=mode,
            scenario=scenario or USUAL[mode],
            order_id=f"ORD-{random.randrange(100_000):05}",  # noqa: S311 - an example's, and no secret
            origin=service.origin,
        )
        orders = Orders(directory / "remote.sqlite")
        orders.create(
            request.id,
            request.tenant,
            quantity=random.randint(2, 8),  # noqa: S311
            unit_cents=random.randint(100, 499),  # noqa: S311
            completed=request.scenario == "success",
        )
        text = json.dumps(request.canonical(), indent=2)
        (directory / "request.json").write_text(text, encoding="utf-8")
    except BaseException:
        service.close()
        raise
    service.start(Answers(request, orders))
    return Fixture(request=request, service=service, orders=orders)


def open_fixture(directory: Path, *, delay: float = DELAY) -> Fixture:
    """Serve the task of a folder again, at the address that its request names.

    Raises :class:`InvalidRequest` when there is no request that makes sense, and :class:`OSError` when the address is
    taken.
    """
    try:
        given = read((directory / "request.json").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, NotJson) as error:
        raise InvalidRequest("json", "cannot be read") from error
    request = Request.of(given)
    port = urlsplit(request.origin).port
    orders = Orders(directory / "remote.sqlite")
    service = OrderService(port=port or 80, delay=delay)
    service.start(Answers(request, orders))
    return Fixture(request=request, service=service, orders=orders)
