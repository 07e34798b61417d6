"""The pack keeps the contract of a tool pack, also when its service fails, dawdles or tells too much."""

from __future__ import annotations

import httpx
from rates_pack import RatesPack

from ditto_testkit import ToolPackContract
from ditto_testkit.fakes import HttpRequest

KEY = "made-up-key-7c21"
GOOD = b'{"rate": 1.25}'


class TestRatesPack(ToolPackContract):
    """Every check of the kit; for those about the network, the kit plays the service."""

    contract = 1
    secrets = (KEY,)

    def pack(self) -> RatesPack:
        """Return a new pack with a service that answers well and opens no connection."""
        answers = httpx.MockTransport(lambda _: httpx.Response(200, content=GOOD))
        return RatesPack(api_key=KEY, transport=answers)

    def pack_at(self, url: str, timeout: float) -> RatesPack:
        """Return a new pack that asks the kit's server."""
        return RatesPack(api_key=KEY, base_url=url, timeout=timeout)

    def reply(self, request: HttpRequest) -> bytes:
        """Return the answer of a service that works."""
        return GOOD
