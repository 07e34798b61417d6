"""The client of HTTP, which sends nothing more for a request that was given up."""

from __future__ import annotations

from typing import Any

import httpx2

from .waiting import NobodyWaits, while_waited_for


class HttpClient(httpx2.AsyncClient):
    """A client whose requests end when nobody waits for them, with an answer that the SDK takes for a refusal."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request and return its answer."""
        try:
            return await while_waited_for(lambda: super(HttpClient, self).send(request, **options))
        except NobodyWaits:
            return httpx2.Response(httpx2.codes.GATEWAY_TIMEOUT, request=request)
